package io.github.kafkatxn.producer;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link TransactionalProducer}: Kafka's producer properties, and how long its calls may take.
 *
 * <p>Checked once, in {@link Builder#build()}, against each other; immutable afterwards. Three properties are fixed
 * because a transaction needs them ({@code enable.idempotence=true}, {@code acks=all}, {@code transactional.id}); for
 * some others this library has defaults that suit transactions. Everything else is Kafka's default or what you set with
 * {@link Builder#property}.
 *
 * <ul>
 *   <li>{@code linger.ms=100}, {@code batch.size=262144}: a transaction is flushed at its end, which ends the linger;
 *       until then records gather in large batches.
 *   <li>{@code retry.backoff.ms=2}: what transactions meet most is the unfinished end of the one before, and that
 *       passes within a millisecond or two; growing up to {@code retry.backoff.max.ms}.
 *   <li>{@code transaction.timeout.ms=40000}: below the session timeout of a consumer (45 s), so that the transaction
 *       of a stuck instance is over before another one works on its partitions.
 *   <li>{@code delivery.timeout.ms}: three quarters of the transaction timeout, 30 s at most, so that a record is given
 *       up before the broker gives up the transaction; {@code request.timeout.ms}: half of that.
 *   <li>{@code max.block.ms}: 10 s, at most the call timeout: how long a send may wait for metadata or memory, and how
 *       often a longer wait looks up.
 * </ul>
 */
public final class ProducerSettings {

    private final String transactionalId;
    private final Map<String, Object> given;
    private final Map<String, Object> properties;
    private final Duration transactionTimeout;
    private final Duration callTimeout;
    private final Duration closeTimeout;
    private final RetryConfig retry;
    private final List<TransactionListener> listeners;

    private ProducerSettings(Builder builder, String transactionalId, Map<String, Object> properties) {
        this.transactionalId = transactionalId;
        this.given = Map.copyOf(builder.properties);
        this.properties = Map.copyOf(properties);
        this.transactionTimeout = ProducerProperties.check(properties, builder.callTimeout);
        this.callTimeout = builder.callTimeout;
        this.closeTimeout = builder.closeTimeout;
        this.retry = builder.retry;
        this.listeners = List.copyOf(builder.listeners);
    }

    /** {@return a builder with the defaults} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a builder with these settings, for a variation of them} */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.properties.putAll(given);
        builder.transactionalId = transactionalId;
        builder.callTimeout = callTimeout;
        builder.closeTimeout = closeTimeout;
        builder.retry = retry;
        builder.listeners.addAll(listeners);
        return builder;
    }

    /** {@return the transactional id} */
    public String transactionalId() {
        return transactionalId;
    }

    /** {@return the properties for {@code KafkaProducer}, without serializers} */
    public Map<String, Object> properties() {
        return properties;
    }

    /** {@return {@code transaction.timeout.ms}: after that long the broker aborts an open transaction by itself} */
    public Duration transactionTimeout() {
        return transactionTimeout;
    }

    /** {@return {@code max.block.ms}: how long one wait of a call may take} */
    Duration maxBlock() {
        return ProducerProperties.maxBlock(properties);
    }

    /** {@return how long init, sendOffsetsToTransaction, commit and abort may take} */
    public Duration callTimeout() {
        return callTimeout;
    }

    /** {@return how long {@link TransactionalProducer#close()} may take} */
    public Duration closeTimeout() {
        return closeTimeout;
    }

    /** {@return how calls are repeated within their timeout} */
    public RetryConfig retry() {
        return retry;
    }

    /** {@return who is told about transactions} */
    public List<TransactionListener> listeners() {
        return listeners;
    }

    /** Collects settings; not safe for several threads. */
    public static final class Builder {
        private final Map<String, Object> properties = new LinkedHashMap<>();
        private final List<TransactionListener> listeners = new ArrayList<>();
        private @Nullable String transactionalId;
        private Duration callTimeout = Duration.ofSeconds(30);
        private Duration closeTimeout = Duration.ofSeconds(10);
        private RetryConfig retry = RetryConfig.custom()
                .maxAttempts(100)
                .intervalFunction(IntervalFunction.ofExponentialRandomBackoff(
                        Duration.ofMillis(20), 2.0, 0.5, Duration.ofSeconds(1)))
                .build();

        private Builder() {}

        /**
         * Short for the property {@code bootstrap.servers}.
         *
         * @param servers host:port pairs, separated by commas
         * @return this
         */
        public Builder bootstrapServers(String servers) {
            return property(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
        }

        /**
         * The transactional id: unique among live producers, and the same again after a restart, since that is what
         * ends the open transaction of a crashed instance.
         *
         * @param id not empty
         * @return this
         */
        public Builder transactionalId(String id) {
            this.transactionalId = id;
            return this;
        }

        /**
         * Short for the property {@code transaction.timeout.ms}. At least {@code delivery.timeout.ms}, at most the
         * broker's {@code transaction.max.timeout.ms} (15 minutes unless changed).
         *
         * @param timeout at least 1 ms
         * @return this
         */
        public Builder transactionTimeout(Duration timeout) {
            return property(
                    ProducerConfig.TRANSACTION_TIMEOUT_CONFIG,
                    ProducerProperties.millis("transaction timeout", timeout));
        }

        /**
         * How long init, sendOffsetsToTransaction, commit and abort may take, repetitions included; at least
         * {@code max.block.ms}. Default 30 s.
         *
         * @param timeout at least 1 ms
         * @return this
         */
        public Builder callTimeout(Duration timeout) {
            ProducerProperties.millis("call timeout", timeout);
            this.callTimeout = timeout;
            return this;
        }

        /**
         * How long {@link TransactionalProducer#close()} may take. Default 10 s.
         *
         * @param timeout at least 1 ms: closing without any time would leave an open transaction to its timeout
         * @return this
         */
        public Builder closeTimeout(Duration timeout) {
            ProducerProperties.millis("close timeout", timeout);
            this.closeTimeout = timeout;
            return this;
        }

        /**
         * How init, commit and abort are repeated within their timeout: attempts and intervals. The default begins at
         * 20 ms and doubles up to 1 s, with jitter. Requests of offsets and share acknowledgements are repeated by
         * {@code retry.backoff.ms}. Predicates for results and exceptions are replaced by this library's own.
         *
         * @param config attempts and intervals
         * @return this
         */
        public Builder retry(RetryConfig config) {
            this.retry = Objects.requireNonNull(config, "retry");
            return this;
        }

        /**
         * Adds somebody to be told about transactions.
         *
         * @param listener called on the owner thread, or on the one that closes the producer
         * @return this
         */
        public Builder listener(TransactionListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * Sets one property of Kafka's producer.
         *
         * @param name as in {@link ProducerConfig}
         * @param value its value
         * @return this
         */
        public Builder property(String name, Object value) {
            Objects.requireNonNull(name, "name of a property");
            Objects.requireNonNull(value, () -> "value of the property " + name);
            if (name.equals(ProducerConfig.TRANSACTIONAL_ID_CONFIG)) {
                return transactionalId(value.toString());
            }
            properties.put(name, value);
            return this;
        }

        /**
         * Sets several properties of Kafka's producer.
         *
         * @param values names and values, as in {@link ProducerConfig}
         * @return this
         */
        public Builder properties(Map<String, ?> values) {
            values.forEach(this::property);
            return this;
        }

        /**
         * Checks the settings, each for itself and against the others.
         *
         * @return the settings
         * @throws IllegalArgumentException with the settings, their values and the allowed range
         */
        public ProducerSettings build() {
            String id = transactionalId;
            if (id == null || id.isBlank()) {
                throw new IllegalArgumentException("transactional.id is missing: it must be unique among live"
                        + " producers and stay the same over restarts");
            }
            return new ProducerSettings(this, id, ProducerProperties.effective(properties, id, callTimeout));
        }
    }
}
