package io.github.kafkatxn.processor;

import static io.github.kafkatxn.processor.ProcessorChecks.require;

import io.github.kafkatxn.producer.ProducerSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The properties of the input consumers: what exactly-once needs is set, what contradicts it is refused by name. */
final class ConsumerProperties {
    private ConsumerProperties() {}

    static Map<String, Object> effective(Map<String, Object> given) {
        Map<String, Object> all = new HashMap<>(given);
        Object group = all.get(ConsumerConfig.GROUP_ID_CONFIG);
        require(group != null && !group.toString().isBlank(), "groupId is missing: the consumer group of the input");
        fixed(
                all,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                "false",
                "offsets are committed inside the transaction; a second path would skip records that were aborted");
        fixed(
                all,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                "read_uncommitted input would process records of transactions that are aborted later");
        for (String name : new String[] {
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG
        }) {
            require(!all.containsKey(name), name + " is not a setting here: deserializers are given to create(...)");
        }
        // A group that starts late must not skip what was there before; whoever wants that can say so.
        all.putIfAbsent(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        // An input topic that is deleted must not come back by being asked for.
        all.putIfAbsent(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return all;
    }

    /** {@return max.poll.interval.ms of properties that fit the producers' settings} */
    static Duration check(Map<String, Object> properties, ProducerSettings producer) {
        Map<String, Object> complete = new HashMap<>(properties);
        complete.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        complete.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        Map<String, Object> parsed;
        try {
            parsed = ConsumerConfig.configDef().parse(complete);
        } catch (ConfigException e) {
            throw new IllegalArgumentException("consumer property refused: " + e.getMessage(), e);
        }
        long maxPoll = number(parsed, ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG);
        long transaction = producer.transactionTimeout().toMillis();
        require(
                transaction <= maxPoll,
                "transaction.timeout.ms=" + transaction + " must be at most max.poll.interval.ms=" + maxPoll
                        + ": else the transaction of a stuck member is open while others work on its partitions");
        long call = producer.callTimeout().toMillis();
        require(
                call <= maxPoll,
                "the call timeout of " + call + " ms must be at most max.poll.interval.ms=" + maxPoll
                        + ": else waiting for a commit costs the membership");
        return Duration.ofMillis(maxPoll);
    }

    static long number(Map<String, Object> properties, String name) {
        return ((Number) Objects.requireNonNull(properties.get(name), name)).longValue();
    }

    private static void fixed(Map<String, Object> properties, String name, String value, String why) {
        Object given = properties.put(name, value);
        require(given == null || given.toString().equals(value), name + "=" + given + " is refused: " + why);
    }
}
