package io.github.kafkatxn.processor;

import static io.github.kafkatxn.processor.ProcessorChecks.require;

import io.github.kafkatxn.producer.ProducerSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The properties of the input consumers: what exactly-once needs is set, what contradicts it is refused by name. */
final class ConsumerProperties {
    /** Properties of consumers that have one of the share group at the broker instead. */
    private static final Map<String, String> OF_THE_SHARE_GROUP = Map.of(
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "share.auto.offset.reset",
            ConsumerConfig.ISOLATION_LEVEL_CONFIG, "share.isolation.level",
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, "share.session.timeout.ms",
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, "share.heartbeat.interval.ms");

    /** Properties of consumers that share consumers refuse. */
    private static final List<String> NOT_OF_SHARE_CONSUMERS = List.of(
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
            ConsumerConfig.GROUP_PROTOCOL_CONFIG,
            ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG,
            ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG);

    private ConsumerProperties() {}

    /** {@return the properties of a consumer of a consumer group} */
    static Map<String, Object> effective(Map<String, Object> given) {
        Map<String, Object> all = common(given, "groupId is missing: the consumer group of the input");
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
        // A group that starts late must not skip what was there before; whoever wants that can say so.
        all.putIfAbsent(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return all;
    }

    /** {@return the properties of a share consumer} */
    static Map<String, Object> effectiveOfShareGroup(Map<String, Object> given) {
        Map<String, Object> all = common(given, "shareGroupId is missing: the share group of the input");
        OF_THE_SHARE_GROUP.forEach((name, instead) -> require(
                !all.containsKey(name),
                name + " is not a setting of a share consumer: set " + instead + " of the group at the broker"));
        NOT_OF_SHARE_CONSUMERS.forEach(
                name -> require(!all.containsKey(name), name + " is not a setting of a share consumer"));
        fixed(
                all,
                ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG,
                "explicit",
                "else the next poll accepts what no transaction was committed for");
        return all;
    }

    private static Map<String, Object> common(Map<String, Object> given, String withoutGroup) {
        Map<String, Object> all = new HashMap<>(given);
        Object group = all.get(ConsumerConfig.GROUP_ID_CONFIG);
        require(group != null && !group.toString().isBlank(), withoutGroup);
        for (String name : new String[] {
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG
        }) {
            require(!all.containsKey(name), name + " is not a setting here: deserializers are given to create(...)");
        }
        // An input topic that is deleted must not come back by being asked for.
        all.putIfAbsent(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return all;
    }

    /** {@return max.poll.interval.ms of properties that fit the producers' settings} */
    static Duration check(Map<String, Object> properties, ProducerSettings producer) {
        Map<String, Object> parsed = parsed(properties);
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

    /** {@return the properties as the consumer reads them, with its defaults} */
    static Map<String, Object> parsed(Map<String, Object> properties) {
        Map<String, Object> complete = new HashMap<>(properties);
        complete.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        complete.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
        try {
            return ConsumerConfig.configDef().parse(complete);
        } catch (ConfigException e) {
            throw new IllegalArgumentException("consumer property refused: " + e.getMessage(), e);
        }
    }

    static long number(Map<String, Object> properties, String name) {
        return ((Number) Objects.requireNonNull(properties.get(name), name)).longValue();
    }

    private static void fixed(Map<String, Object> properties, String name, String value, String why) {
        Object given = properties.put(name, value);
        require(given == null || given.toString().equals(value), name + "=" + given + " is refused: " + why);
    }
}
