package io.github.kafkatxn.cluster.internal.metadata;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * What can be set for a topic or a group, by the names, types and bounds of a broker. What is not set has the value
 * that the nodes give it.
 */
public final class ConfigTable {
    /** For topics. */
    public static final ConfigTable TOPIC = new ConfigTable(
            "topic",
            ConfigDefinitions.ofTopics(),
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
            ConfigDefinitions.ofGroups(),
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
}
