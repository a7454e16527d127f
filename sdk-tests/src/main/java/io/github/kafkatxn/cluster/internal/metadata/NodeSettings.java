package io.github.kafkatxn.cluster.internal.metadata;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The configuration of the nodes, by the names it has with a broker. What is not set has the broker's default, and a
 * few defaults that suit tests.
 */
public final class NodeSettings {
    /** What begins the name of a user's password, as in the options of a broker's login module. */
    public static final String USER_PREFIX = "user_";

    /** The user that nodes log in as to each other. */
    public static final String NODE_USER = "reference-cluster";

    /** A group does not change between the protocols here, so this is told and cannot be set. */
    private static final String MIGRATION_POLICY = "group.consumer.migration.policy";

    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            Map.entry("auto.create.topics.enable", "true"),
            Map.entry("authorizer.class.name", ""),
            Map.entry("super.users", ""),
            Map.entry("allow.everyone.if.no.acl.found", "false"),
            Map.entry("num.partitions", "1"),
            Map.entry("default.replication.factor", "1"),
            Map.entry("message.max.bytes", "1048588"),
            Map.entry("log.message.timestamp.type", "CreateTime"),
            Map.entry("log.message.timestamp.before.max.ms", "9223372036854775807"),
            Map.entry("log.message.timestamp.after.max.ms", "3600000"),
            Map.entry("log.cleanup.policy", "delete"),
            Map.entry("min.insync.replicas", "1"),
            Map.entry("offset.metadata.max.bytes", "4096"),
            Map.entry("offsets.topic.num.partitions", "5"),
            Map.entry("transaction.state.log.num.partitions", "5"),
            Map.entry("share.coordinator.state.topic.num.partitions", "5"),
            Map.entry("transaction.max.timeout.ms", "900000"),
            Map.entry("transaction.abort.timed.out.transaction.cleanup.interval.ms", "100"),
            Map.entry("transaction.partition.verification.enable", "true"),
            Map.entry("transactional.id.expiration.ms", "604800000"),
            Map.entry("producer.id.expiration.ms", "86400000"),
            Map.entry("producer.id.expiration.check.interval.ms", "600000"),
            Map.entry("add.partitions.to.txn.retry.backoff.ms", "20"),
            Map.entry("add.partitions.to.txn.retry.backoff.max.ms", "100"),
            Map.entry("group.initial.rebalance.delay.ms", "0"),
            Map.entry("group.min.session.timeout.ms", "100"),
            Map.entry("group.max.session.timeout.ms", "1800000"),
            Map.entry("group.max.size", "2147483647"),
            Map.entry("group.consumer.heartbeat.interval.ms", "100"),
            Map.entry("group.consumer.session.timeout.ms", "45000"),
            Map.entry("group.consumer.max.size", "2147483647"),
            Map.entry(MIGRATION_POLICY, "disabled"),
            Map.entry("group.share.heartbeat.interval.ms", "100"),
            Map.entry("group.share.session.timeout.ms", "45000"),
            Map.entry("group.share.max.size", "200"),
            Map.entry("group.share.max.share.sessions", "2000"),
            Map.entry("group.share.record.lock.duration.ms", "30000"),
            Map.entry("group.share.delivery.count.limit", "5"),
            Map.entry("group.share.partition.max.record.locks", "2000"),
            Map.entry("max.incremental.fetch.session.cache.slots", "1000"),
            Map.entry("fetch.max.bytes", "57671680"),
            Map.entry("request.timeout.ms", "30000"),
            Map.entry("socket.request.max.bytes", "104857600"));

    private final Map<String, String> values;

    /**
     * Settings.
     *
     * @param set what differs from the defaults
     */
    public NodeSettings(Map<String, String> set) {
        values = new TreeMap<>(DEFAULTS);
        values.putAll(set);
    }

    /**
     * Refuses what nobody would heed, and what is no value of it.
     *
     * @param name of a setting that is about to be given
     * @param value its value
     */
    public static void requireSettable(String name, String value) {
        Set<String> settable = new TreeSet<>(DEFAULTS.keySet());
        settable.remove(MIGRATION_POLICY);
        String fallback = DEFAULTS.get(name);
        if (fallback == null || !settable.contains(name)) {
            throw new IllegalArgumentException(
                    "node property \"" + name + "\" has no effect here; those that have are " + settable);
        }
        boolean flag = fallback.equals("true") || fallback.equals("false");
        if (flag && !value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(name + " is \"" + value + "\": allowed are true and false");
        }
        boolean number = !fallback.isEmpty() && Character.isDigit(fallback.charAt(0));
        int least = name.endsWith("partitions") || name.endsWith("max.size") ? 1 : 0;
        if (number && parse(name, value) < least) {
            throw new IllegalArgumentException(name + " is " + value + ": allowed is " + least + " or more");
        }
    }

    /**
     * A number.
     *
     * @param name its name
     * @return its value
     */
    public long number(String name) {
        return parse(name, text(name));
    }

    private static long parse(String name, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is \"" + value + "\": a whole number is needed", e);
        }
    }

    /**
     * A yes or no.
     *
     * @param name its name
     * @return its value
     */
    public boolean flag(String name) {
        return Boolean.parseBoolean(text(name));
    }

    /**
     * A text.
     *
     * @param name its name
     * @return its value
     */
    public String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no setting " + name + " here; there are " + values.keySet());
        }
        return value;
    }

    /**
     * Whether a value is as a broker, or these nodes, have it by themselves.
     *
     * @param name its name
     * @return whether it is
     */
    public boolean isDefault(String name) {
        return text(name).equals(DEFAULTS.get(name));
    }

    /** {@return the passwords by which users log in, by user; nobody has to log in if there are none} */
    public Map<String, String> passwords() {
        Map<String, String> passwords = new TreeMap<>();
        values.forEach((name, value) -> {
            if (name.startsWith(USER_PREFIX)) {
                passwords.put(name.substring(USER_PREFIX.length()), value);
            }
        });
        return passwords;
    }

    /** {@return all of them, by name} */
    public Map<String, String> all() {
        return values;
    }
}
