package io.github.kafkatxn.producer;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The properties of Kafka's producer: completed with defaults that suit transactions, and checked against each other.
 */
final class ProducerProperties {
    private ProducerProperties() {}

    /** {@return what was given, the defaults of this library, and the properties that have only one right value} */
    static Map<String, Object> effective(Map<String, Object> given, String transactionalId, Duration callTimeout) {
        Map<String, Object> all = new HashMap<>(given);
        all.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        fix(all, ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true, "true");
        fix(all, ProducerConfig.ACKS_CONFIG, "all", "all", "-1");
        fix(all, ProducerConfig.TRANSACTION_TWO_PHASE_COMMIT_ENABLE_CONFIG, false, "false");
        all.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, 262_144);
        all.putIfAbsent(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 2);
        all.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, Math.min(10_000, callTimeout.toMillis()));
        all.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 40_000);
        long transaction = number(parse(all), ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);
        all.putIfAbsent(
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) Math.max(2, Math.min(30_000, transaction * 3 / 4)));
        long delivery = number(parse(all), ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG);
        all.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) Math.max(1, Math.min(15_000, delivery / 2)));
        long request = number(parse(all), ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
        all.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, (int) Math.max(0, Math.min(100, delivery - request)));
        return all;
    }

    /** {@return the transaction timeout of properties that fit each other} */
    static Duration check(Map<String, Object> properties, Duration callTimeout) {
        Map<String, Object> parsed = parse(properties);
        long transaction = number(parsed, ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);
        long delivery = number(parsed, ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG);
        long linger = number(parsed, ProducerConfig.LINGER_MS_CONFIG);
        long request = number(parsed, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG);
        long block = number(parsed, ProducerConfig.MAX_BLOCK_MS_CONFIG);
        require(transaction >= 1, "transaction.timeout.ms=" + transaction + " must be at least 1");
        require(
                delivery <= transaction,
                "delivery.timeout.ms=" + delivery + " must be at most transaction.timeout.ms=" + transaction
                        + ": else a record is still being sent when the broker has aborted its transaction, which"
                        + " looks like fencing");
        require(
                linger + request <= delivery,
                "linger.ms=" + linger + " plus request.timeout.ms=" + request + " must be at most"
                        + " delivery.timeout.ms=" + delivery);
        require(
                block >= 1 && block <= callTimeout.toMillis(),
                "max.block.ms=" + block + " must be from 1 to the call timeout of " + callTimeout.toMillis() + " ms");
        require(
                number(parsed, ProducerConfig.RETRIES_CONFIG) > 0,
                "retries=0 contradicts enable.idempotence=true:"
                        + " leave it unset and bound the time with delivery.timeout.ms");
        long inFlight = number(parsed, ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION);
        require(
                inFlight <= 5,
                "max.in.flight.requests.per.connection=" + inFlight + " must be from 1 to 5: the broker"
                        + " remembers five batches of a producer");
        return Duration.ofMillis(transaction);
    }

    static Duration maxBlock(Map<String, Object> properties) {
        return Duration.ofMillis(number(parse(properties), ProducerConfig.MAX_BLOCK_MS_CONFIG));
    }

    /** Sets a property that has only one right value; anything else is refused by name. */
    private static void fix(Map<String, Object> properties, String name, Object value, String... accepted) {
        Object given = properties.put(name, value);
        require(
                given == null || List.of(accepted).contains(given.toString()),
                name + "=" + given + " is not possible in a transactional producer: it is always " + value);
    }

    static int millis(String name, Duration value) {
        long millis = TimeUnit.MILLISECONDS.convert(value);
        require(
                millis >= 1 && millis <= Integer.MAX_VALUE,
                name + " of " + value + " must be from 1 ms to " + Integer.MAX_VALUE + " ms");
        return (int) millis;
    }

    private static Map<String, Object> parse(Map<String, Object> properties) {
        require(
                properties.containsKey(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG),
                "bootstrap.servers is missing: host:port of one or more brokers");
        Map<String, Object> complete = new HashMap<>(properties);
        complete.putIfAbsent(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        complete.putIfAbsent(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        try {
            return ProducerConfig.configDef().parse(complete);
        } catch (ConfigException e) {
            throw new IllegalArgumentException("producer property refused: " + e.getMessage(), e);
        }
    }

    private static long number(Map<String, Object> parsed, String name) {
        Object value = Objects.requireNonNull(parsed.get(name), name);
        return ((Number) value).longValue();
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
