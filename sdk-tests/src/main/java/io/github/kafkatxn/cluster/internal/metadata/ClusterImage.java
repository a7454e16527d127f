package io.github.kafkatxn.cluster.internal.metadata;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclBinding;

/** All a cluster knows of itself at one moment. Immutable: every change makes a new one, which the nodes take over. */
public final class ClusterImage {
    private final long version;
    private final String clusterId;
    private final Map<Integer, NodeInfo> nodes;
    private final Map<String, TopicInfo> topics;
    private final Map<Uuid, TopicInfo> topicsById = new LinkedHashMap<>();
    private final Map<String, Map<String, String>> groupConfigs;
    private final Map<String, Short> features;
    private final Set<AclBinding> acls;

    ClusterImage(
            long version,
            String clusterId,
            Map<Integer, NodeInfo> nodes,
            Map<String, TopicInfo> topics,
            Map<String, Map<String, String>> groupConfigs,
            Map<String, Short> features,
            Set<AclBinding> acls) {
        this.version = version;
        this.clusterId = clusterId;
        this.nodes = new TreeMap<>(nodes);
        this.topics = new TreeMap<>(topics);
        topics.values().forEach(topic -> topicsById.put(topic.id(), topic));
        this.groupConfigs = Map.copyOf(groupConfigs);
        this.features = new TreeMap<>(features);
        this.acls = Set.copyOf(acls);
    }

    /** {@return a number that grows with every change} */
    public long version() {
        return version;
    }

    /** {@return the id of the cluster} */
    public String clusterId() {
        return clusterId;
    }

    /** {@return all nodes, the stopped ones too, by their ids} */
    public Collection<NodeInfo> nodes() {
        return nodes.values();
    }

    /**
     * A node.
     *
     * @param id its id
     * @return the node, empty if there is none
     */
    public Optional<NodeInfo> node(int id) {
        return Optional.ofNullable(nodes.get(id));
    }

    /**
     * Whether a node is up.
     *
     * @param id its id
     * @return whether it is
     */
    public boolean isAlive(int id) {
        return node(id).map(NodeInfo::alive).orElse(false);
    }

    /** {@return all topics, by their names} */
    public Collection<TopicInfo> topics() {
        return topics.values();
    }

    /**
     * A topic.
     *
     * @param name its name
     * @return the topic, empty if there is none
     */
    public Optional<TopicInfo> topic(String name) {
        return Optional.ofNullable(topics.get(name));
    }

    /**
     * A topic.
     *
     * @param id its id
     * @return the topic, empty if there is none
     */
    public Optional<TopicInfo> topic(Uuid id) {
        return Optional.ofNullable(topicsById.get(id));
    }

    /**
     * A partition.
     *
     * @param partition its topic and number
     * @return the partition, empty if there is none
     */
    public Optional<PartitionInfo> partition(TopicPartition partition) {
        return topic(partition.topic()).flatMap(topic -> topic.partition(partition.partition()));
    }

    /**
     * The node that coordinates a key.
     *
     * @param internalTopic where the key's state is kept
     * @param key a group, a transactional id, or {@code group:topicId:partition}
     * @return the node that leads the key's partition; empty while the topic is missing or has no leader there
     */
    public Optional<NodeInfo> coordinator(String internalTopic, String key) {
        return topic(internalTopic)
                .map(topic -> topic.partitions()
                        .get(InternalTopics.partitionFor(key, topic.partitions().size())))
                .flatMap(partition -> node(partition.leader()))
                .filter(NodeInfo::alive);
    }

    /**
     * What was set for a group.
     *
     * @param group its id
     * @return its configuration, empty if nothing was set
     */
    public Map<String, String> groupConfigs(String group) {
        return groupConfigs.getOrDefault(group, Map.of());
    }

    /** {@return what was set for groups, by group} */
    public Map<String, Map<String, String>> groupConfigs() {
        return groupConfigs;
    }

    /** {@return the finalized features and their levels} */
    public Map<String, Short> features() {
        return features;
    }

    /** {@return the finalized level of {@code transaction.version}} */
    public short transactionVersion() {
        return features.getOrDefault("transaction.version", (short) 0);
    }

    /** {@return the finalized level of {@code share.version}: 0 without share groups, 3 with KIP-1289} */
    public short shareVersion() {
        return features.getOrDefault("share.version", (short) 0);
    }

    /** {@return who may do what, if there is an authorizer to ask} */
    public Set<AclBinding> acls() {
        return acls;
    }

    Map<Integer, NodeInfo> nodesById() {
        return nodes;
    }

    Map<String, TopicInfo> topicsByName() {
        return topics;
    }
}
