package io.github.kafkatxn.cluster.internal.metadata;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclBinding;

/**
 * Decides what the cluster knows of itself: which topics there are, who leads a partition, who is up. Belongs to one
 * thread, the controller's; nodes send their wishes there and get every new image from there, in order.
 */
public final class Controller {
    private final List<Consumer<ClusterImage>> subscribers = new ArrayList<>();
    private ClusterImage image;
    private int nextReplica;
    private long nextProducerId;

    /**
     * A controller of a cluster without topics.
     *
     * @param clusterId the id of the cluster
     * @param features the finalized features
     */
    public Controller(String clusterId, Map<String, Short> features) {
        this.image = new ClusterImage(0, clusterId, Map.of(), Map.of(), Map.of(), features, Set.of());
    }

    /** {@return what is decided now} */
    public ClusterImage image() {
        return image;
    }

    /**
     * Wants every image from now on, and the present one at once.
     *
     * @param subscriber hands it to the thread it belongs to
     * @return ends it
     */
    public Runnable subscribe(Consumer<ClusterImage> subscriber) {
        subscribers.add(subscriber);
        subscriber.accept(image);
        return () -> subscribers.remove(subscriber);
    }

    /**
     * Hands out producer ids.
     *
     * @param count how many
     * @return the first of them
     */
    public long takeProducerIds(int count) {
        long first = nextProducerId;
        nextProducerId += count;
        return first;
    }

    /**
     * A node is up. Partitions without a leader that it has a replica of are led by it from now on.
     *
     * @param id its id
     * @param host where it listens
     * @param port where it listens
     */
    public void nodeUp(int id, String host, int port) {
        Map<Integer, NodeInfo> nodes = new HashMap<>(image.nodesById());
        nodes.put(id, new NodeInfo(id, host, port, true));
        publish(
                nodes,
                mapPartitions(partition -> partition.leader() == PartitionInfo.NO_LEADER
                                && partition.replicas().contains(id)
                        ? partition.ledBy(id)
                        : partition),
                image.groupConfigs());
    }

    /**
     * A node is down. Its partitions are led by the next replica that is up, or by nobody.
     *
     * @param id its id
     */
    public void nodeDown(int id) {
        Map<Integer, NodeInfo> nodes = new HashMap<>(image.nodesById());
        nodes.computeIfPresent(id, (key, node) -> new NodeInfo(id, node.host(), node.port(), false));
        publish(
                nodes,
                mapPartitions(partition -> partition.leader() == id
                        ? partition.ledBy(partition.replicas().stream()
                                .filter(replica -> replica != id && image.isAlive(replica))
                                .findFirst()
                                .orElse(PartitionInfo.NO_LEADER))
                        : partition),
                image.groupConfigs());
    }

    /**
     * Another node leads a partition from now on; it becomes a replica if it was none.
     *
     * @param partition which
     * @param node the new leader, or {@link PartitionInfo#NO_LEADER}
     */
    public void moveLeader(TopicPartition partition, int node) {
        changeTopic(partition.topic(), topic -> {
            List<PartitionInfo> partitions = new ArrayList<>(topic.partitions());
            PartitionInfo old = partitions.get(partition.partition());
            List<Integer> replicas = new ArrayList<>(old.replicas());
            if (node != PartitionInfo.NO_LEADER && !replicas.contains(node)) {
                replicas.add(node);
            }
            partitions.set(
                    partition.partition(), new PartitionInfo(old.index(), replicas, node, old.leaderEpoch() + 1));
            return new TopicInfo(topic.name(), topic.id(), partitions, topic.configs());
        });
    }

    /**
     * Makes a topic; its leaders are spread over the nodes that are up.
     *
     * @param name a name that no topic has
     * @param partitions how many partitions, 1 or more
     * @param replicationFactor how many replicas each, 1 to the number of nodes
     * @param configs its configuration
     * @return the topic
     */
    public TopicInfo createTopic(String name, int partitions, int replicationFactor, Map<String, String> configs) {
        List<List<Integer>> replicas = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            replicas.add(spread(replicationFactor));
        }
        return createTopic(name, replicas, configs);
    }

    /**
     * Makes a topic with replicas where the caller wants them.
     *
     * @param name a name that no topic has
     * @param replicas the nodes of each partition, the leader first
     * @param configs its configuration
     * @return the topic
     */
    public TopicInfo createTopic(String name, List<List<Integer>> replicas, Map<String, String> configs) {
        List<PartitionInfo> partitions = new ArrayList<>();
        replicas.forEach(nodes -> partitions.add(newPartition(partitions.size(), nodes)));
        TopicInfo topic = new TopicInfo(name, Uuid.randomUuid(), partitions, configs);
        Map<String, TopicInfo> topics = new HashMap<>(image.topicsByName());
        topics.put(name, topic);
        publish(image.nodesById(), topics, image.groupConfigs());
        return topic;
    }

    /**
     * Adds partitions to a topic.
     *
     * @param name the topic
     * @param replicas the nodes of each new partition, the leader first
     */
    public void addPartitions(String name, List<List<Integer>> replicas) {
        changeTopic(name, topic -> {
            List<PartitionInfo> partitions = new ArrayList<>(topic.partitions());
            replicas.forEach(nodes -> partitions.add(newPartition(partitions.size(), nodes)));
            return new TopicInfo(topic.name(), topic.id(), partitions, topic.configs());
        });
    }

    /**
     * Deletes a topic.
     *
     * @param name its name
     */
    public void deleteTopic(String name) {
        Map<String, TopicInfo> topics = new HashMap<>(image.topicsByName());
        topics.remove(name);
        publish(image.nodesById(), topics, image.groupConfigs());
    }

    /**
     * Sets the configuration of a topic.
     *
     * @param name its name
     * @param configs all of it
     */
    public void setTopicConfigs(String name, Map<String, String> configs) {
        changeTopic(name, topic -> new TopicInfo(topic.name(), topic.id(), topic.partitions(), configs));
    }

    /**
     * Sets the configuration of a group.
     *
     * @param group its id
     * @param configs all of it
     */
    public void setGroupConfigs(String group, Map<String, String> configs) {
        Map<String, Map<String, String>> all = new HashMap<>(image.groupConfigs());
        all.put(group, Map.copyOf(configs));
        publish(image.nodesById(), image.topicsByName(), all);
    }

    /**
     * Sets who may do what.
     *
     * @param acls all ACLs
     */
    public void setAcls(Set<AclBinding> acls) {
        publish(image.nodesById(), image.topicsByName(), image.groupConfigs(), image.features(), acls);
    }

    /**
     * Sets the finalized features.
     *
     * @param features all of them, with their levels
     */
    public void setFeatures(Map<String, Short> features) {
        publish(image.nodesById(), image.topicsByName(), image.groupConfigs(), features, image.acls());
    }

    /**
     * The nodes for the replicas of one more partition, another leader each time.
     *
     * @param replicationFactor how many
     * @return their ids
     */
    public List<Integer> spread(int replicationFactor) {
        List<Integer> alive =
                image.nodes().stream().filter(NodeInfo::alive).map(NodeInfo::id).toList();
        if (replicationFactor < 1 || replicationFactor > alive.size()) {
            throw new IllegalArgumentException("replication factor " + replicationFactor + ": allowed are 1 to "
                    + alive.size() + ", the nodes up");
        }
        List<Integer> replicas = new ArrayList<>();
        for (int i = 0; i < replicationFactor; i++) {
            replicas.add(alive.get((nextReplica + i) % alive.size()));
        }
        nextReplica++;
        return replicas;
    }

    private PartitionInfo newPartition(int index, List<Integer> replicas) {
        int leader = replicas.stream().filter(image::isAlive).findFirst().orElse(PartitionInfo.NO_LEADER);
        return new PartitionInfo(index, replicas, leader, 0);
    }

    private void changeTopic(String name, UnaryOperator<TopicInfo> change) {
        Map<String, TopicInfo> topics = new HashMap<>(image.topicsByName());
        TopicInfo topic = Optional.ofNullable(topics.get(name))
                .orElseThrow(() -> new IllegalArgumentException("no topic " + name));
        topics.put(name, change.apply(topic));
        publish(image.nodesById(), topics, image.groupConfigs());
    }

    private Map<String, TopicInfo> mapPartitions(UnaryOperator<PartitionInfo> change) {
        Map<String, TopicInfo> topics = new TreeMap<>();
        for (TopicInfo topic : image.topics()) {
            List<PartitionInfo> partitions =
                    topic.partitions().stream().map(change).toList();
            topics.put(topic.name(), new TopicInfo(topic.name(), topic.id(), partitions, topic.configs()));
        }
        return topics;
    }

    private void publish(
            Map<Integer, NodeInfo> nodes,
            Map<String, TopicInfo> topics,
            Map<String, Map<String, String>> groupConfigs) {
        publish(nodes, topics, groupConfigs, image.features(), image.acls());
    }

    private void publish(
            Map<Integer, NodeInfo> nodes,
            Map<String, TopicInfo> topics,
            Map<String, Map<String, String>> groupConfigs,
            Map<String, Short> features,
            Set<AclBinding> acls) {
        image = new ClusterImage(image.version() + 1, image.clusterId(), nodes, topics, groupConfigs, features, acls);
        List.copyOf(subscribers).forEach(subscriber -> subscriber.accept(image));
    }
}
