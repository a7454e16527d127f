package io.github.kafkatxn.cluster.internal.metadata;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigException;

/**
 * What can be set for a topic or a group, by the names, types and bounds of a broker. What is not set has the value
 * that the nodes give it.
 */
public final class ConfigTable {
    private static final ConfigDef.Validator AT_LEAST_ONE = ConfigDef.Range.atLeast(1);
    private static final ConfigDef.Validator RESETS = ConfigTable::requireReset;

    /** For topics. */
    public static final ConfigTable TOPIC = new ConfigTable(
            "topic",
            topicDefinitions(),
            Map.ofEntries(
                    Map.entry("cleanup.policy", "log.cleanup.policy"),
                    Map.entry("max.message.bytes", "message.max.bytes"),
                    Map.entry("message.timestamp.after.max.ms", "log.message.timestamp.after.max.ms"),
                    Map.entry("message.timestamp.before.max.ms", "log.message.timestamp.before.max.ms"),
                    Map.entry("message.timestamp.type", "log.message.timestamp.type"),
                    Map.entry("min.insync.replicas", "min.insync.replicas")));
    /** For groups. */
    public static final ConfigTable GROUP = new ConfigTable(
            "group",
            groupDefinitions(),
            Map.ofEntries(
                    Map.entry("consumer.heartbeat.interval.ms", "group.consumer.heartbeat.interval.ms"),
                    Map.entry("consumer.session.timeout.ms", "group.consumer.session.timeout.ms"),
                    Map.entry("share.heartbeat.interval.ms", "group.share.heartbeat.interval.ms"),
                    Map.entry("share.session.timeout.ms", "group.share.session.timeout.ms"),
                    Map.entry("share.record.lock.duration.ms", "group.share.record.lock.duration.ms"),
                    Map.entry("share.delivery.count.limit", "group.share.delivery.count.limit"),
                    Map.entry("share.partition.max.record.locks", "group.share.partition.max.record.locks")));

    private final String kind;
    private final ConfigDef definitions;
    private final Map<String, String> nodeNames;

    private ConfigTable(String kind, ConfigDef definitions, Map<String, String> nodeNames) {
        this.kind = kind;
        this.definitions = definitions;
        this.nodeNames = nodeNames;
    }

    /** {@return all names there are} */
    public List<String> names() {
        return definitions.names().stream().sorted().toList();
    }

    /**
     * The type of a value.
     *
     * @param name one of the names
     * @return its type
     */
    public ConfigDef.Type type(String name) {
        return Objects.requireNonNull(definitions.configKeys().get(name), name).type;
    }

    /**
     * Whether a name is known.
     *
     * @param name any name
     * @return whether it is
     */
    public boolean knows(String name) {
        return definitions.names().contains(name);
    }

    /**
     * What a value is where nothing is set.
     *
     * @param name one of the names
     * @param settings of the nodes
     * @return the value
     */
    public String fallback(String name, NodeSettings settings) {
        String nodeName = nodeNames.get(name);
        return nodeName == null
                ? ConfigDef.convertToString(definitions.defaultValues().get(name), type(name))
                : settings.text(nodeName);
    }

    /**
     * What is wrong with configuration.
     *
     * @param configs names and values
     * @return what, in words; empty if it is right
     */
    public Optional<String> refusal(Map<String, String> configs) {
        for (String name : new TreeMap<>(configs).keySet()) {
            if (!knows(name)) {
                return Optional.of("Unknown " + kind + " config name: " + name);
            }
        }
        try {
            definitions.parse(configs);
            return Optional.empty();
        } catch (ConfigException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /**
     * A list with more members.
     *
     * @param list members with commas between
     * @param added more of them
     * @return the list with those it did not have
     */
    public static String append(String list, String added) {
        List<String> members = new ArrayList<>(members(list));
        members(added).stream().filter(member -> !members.contains(member)).forEach(members::add);
        return String.join(",", members);
    }

    /**
     * A list with fewer members.
     *
     * @param list members with commas between
     * @param removed some of them
     * @return the list without them
     */
    public static String subtract(String list, String removed) {
        List<String> members = new ArrayList<>(members(list));
        members.removeAll(members(removed));
        return String.join(",", members);
    }

    private static List<String> members(String list) {
        return list.isEmpty() ? List.of() : List.of(list.split(","));
    }

    private static void requireReset(String name, Object value) {
        String reset = value.toString();
        boolean named = reset.equals("latest") || reset.equals("earliest");
        if (!named && !isDuration(reset)) {
            throw new ConfigException(name, value, "latest, earliest or by_duration:<ISO 8601 duration>");
        }
    }

    private static boolean isDuration(String reset) {
        String prefix = "by_duration:";
        try {
            return reset.startsWith(prefix)
                    && !Duration.parse(reset.substring(prefix.length())).isNegative();
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static ConfigDef topicDefinitions() {
        return new ConfigDef()
                .define(
                        "cleanup.policy",
                        ConfigDef.Type.LIST,
                        "delete",
                        ConfigDef.ValidList.in("compact", "delete"),
                        Importance.MEDIUM,
                        "")
                .define("compression.gzip.level", ConfigDef.Type.INT, "-1", null, Importance.MEDIUM, "")
                .define(
                        "compression.lz4.level",
                        ConfigDef.Type.INT,
                        "9",
                        ConfigDef.Range.atLeast(1),
                        Importance.MEDIUM,
                        "")
                .define(
                        "compression.type",
                        ConfigDef.Type.STRING,
                        "producer",
                        ConfigDef.ValidString.in("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
                        Importance.MEDIUM,
                        "")
                .define("compression.zstd.level", ConfigDef.Type.INT, "3", null, Importance.MEDIUM, "")
                .define(
                        "delete.retention.ms",
                        ConfigDef.Type.LONG,
                        "86400000",
                        ConfigDef.Range.atLeast(0),
                        Importance.MEDIUM,
                        "")
                .define(
                        "file.delete.delay.ms",
                        ConfigDef.Type.LONG,
                        "60000",
                        ConfigDef.Range.atLeast(0),
                        Importance.MEDIUM,
                        "")
                .define(
                        "flush.messages",
                        ConfigDef.Type.LONG,
                        "9223372036854775807",
                        ConfigDef.Range.atLeast(1),
                        Importance.MEDIUM,
                        "")
                .define(
                        "flush.ms",
                        ConfigDef.Type.LONG,
                        "9223372036854775807",
                        ConfigDef.Range.atLeast(0),
                        Importance.MEDIUM,
                        "")
                .define(
                        "index.interval.bytes",
                        ConfigDef.Type.INT,
                        "4096",
                        ConfigDef.Range.atLeast(0),
                        Importance.MEDIUM,
                        "")
                .define(
                        "max.compaction.lag.ms",
                        ConfigDef.Type.LONG,
                        "9223372036854775807",
                        ConfigDef.Range.atLeast(1),
                        Importance.MEDIUM,
                        "")
                .define(
                        "max.message.bytes",
                        ConfigDef.Type.INT,
                        "1048588",
                        ConfigDef.Range.atLeast(0),
                        Importance.MEDIUM,
                        "")
                .define(
                        "message.timestamp.after.max.ms",
                        ConfigDef.Type.LONG,
                        "3600000",
                        ConfigDef.Range.atLeast(0),
                        Importance.MEDIUM,
                        "")
                .define(
                        "message.timestamp.before.max.ms",
                        ConfigDef.Type.LONG,
                        "9223372036854775807",
                        ConfigDef.Range.atLeast(0),
                        Importance.MEDIUM,
                        "")
                .define(
                        "message.timestamp.type",
                        ConfigDef.Type.STRING,
                        "CreateTime",
                        ConfigDef.ValidString.in("CreateTime", "LogAppendTime"),
                        Importance.MEDIUM,
                        "")
                .define("min.cleanable.dirty.ratio", ConfigDef.Type.DOUBLE, "0.5", null, Importance.MEDIUM, "")
                .define(
                        "min.compaction.lag.ms",
                        ConfigDef.Type.LONG,
                        "0",
                        ConfigDef.Range.atLeast(0),
                        Importance.MEDIUM,
                        "")
                .define(
                        "min.insync.replicas",
                        ConfigDef.Type.INT,
                        "1",
                        ConfigDef.Range.atLeast(1),
                        Importance.MEDIUM,
                        "")
                .define("preallocate", ConfigDef.Type.BOOLEAN, "false", null, Importance.MEDIUM, "")
                .define("retention.bytes", ConfigDef.Type.LONG, "-1", null, Importance.MEDIUM, "")
                .define(
                        "retention.ms",
                        ConfigDef.Type.LONG,
                        "604800000",
                        ConfigDef.Range.atLeast(-1),
                        Importance.MEDIUM,
                        "")
                .define(
                        "segment.bytes",
                        ConfigDef.Type.INT,
                        "1073741824",
                        ConfigDef.Range.atLeast(1048576),
                        Importance.MEDIUM,
                        "")
                .define(
                        "segment.index.bytes",
                        ConfigDef.Type.INT,
                        "10485760",
                        ConfigDef.Range.atLeast(4),
                        Importance.MEDIUM,
                        "")
                .define(
                        "segment.jitter.ms",
                        ConfigDef.Type.LONG,
                        "0",
                        ConfigDef.Range.atLeast(0),
                        Importance.MEDIUM,
                        "")
                .define(
                        "segment.ms",
                        ConfigDef.Type.LONG,
                        "604800000",
                        ConfigDef.Range.atLeast(1),
                        Importance.MEDIUM,
                        "")
                .define("unclean.leader.election.enable", ConfigDef.Type.BOOLEAN, "false", null, Importance.MEDIUM, "");
    }

    private static ConfigDef groupDefinitions() {
        return new ConfigDef()
                .define(
                        "consumer.heartbeat.interval.ms",
                        ConfigDef.Type.INT,
                        "5000",
                        ConfigDef.Range.atLeast(1),
                        Importance.MEDIUM,
                        "")
                .define(
                        "consumer.session.timeout.ms",
                        ConfigDef.Type.INT,
                        "45000",
                        ConfigDef.Range.atLeast(1),
                        Importance.MEDIUM,
                        "")
                .define("share.auto.offset.reset", ConfigDef.Type.STRING, "latest", RESETS, Importance.MEDIUM, "")
                .define("share.delivery.count.limit", ConfigDef.Type.INT, "5", AT_LEAST_ONE, Importance.MEDIUM, "")
                .define("share.heartbeat.interval.ms", ConfigDef.Type.INT, "5000", AT_LEAST_ONE, Importance.MEDIUM, "")
                .define(
                        "share.isolation.level",
                        ConfigDef.Type.STRING,
                        "read_uncommitted",
                        ConfigDef.ValidString.in("read_committed", "read_uncommitted"),
                        Importance.MEDIUM,
                        "")
                .define(
                        "share.partition.max.record.locks",
                        ConfigDef.Type.INT,
                        "2000",
                        AT_LEAST_ONE,
                        Importance.MEDIUM,
                        "")
                .define(
                        "share.record.lock.duration.ms",
                        ConfigDef.Type.INT,
                        "30000",
                        AT_LEAST_ONE,
                        Importance.MEDIUM,
                        "")
                .define("share.renew.acknowledge.enable", ConfigDef.Type.BOOLEAN, "true", null, Importance.MEDIUM, "")
                .define("share.session.timeout.ms", ConfigDef.Type.INT, "45000", AT_LEAST_ONE, Importance.MEDIUM, "");
    }
}
