package io.github.kafkatxn.cluster;

import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.net.Node;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/** The nodes of a cluster that are running, by their ids, and the ports that all of them have. Not thread-safe. */
final class RunningNodes {
    private final Map<Integer, Node> running = new TreeMap<>();
    private final Map<Integer, Integer> ports = new TreeMap<>();
    private final int count;
    private final IntFunction<Node> factory;

    /** None yet. Ids are 0 to the count - 1. */
    RunningNodes(int count, IntFunction<Node> factory) {
        this.count = count;
        this.factory = factory;
    }

    String bootstrapServers() {
        return ports.values().stream().map(port -> "localhost:" + port).collect(Collectors.joining(","));
    }

    void start(int id) {
        requireId(id);
        if (running.containsKey(id)) {
            throw new IllegalStateException("node " + id + " is running");
        }
        Node node = factory.apply(id);
        ports.put(id, node.start(ports.getOrDefault(id, 0)));
        running.put(id, node);
    }

    void stop(int id) {
        require(id).stop();
        running.remove(id);
    }

    /** {@return what stops them; they do not count as running any more} */
    List<Runnable> takeAll() {
        List<Runnable> stops =
                running.values().stream().<Runnable>map(node -> node::stop).toList();
        running.clear();
        return stops;
    }

    Node require(int id) {
        Node node = running.get(requireId(id));
        if (node == null) {
            throw new IllegalStateException("node " + id + " is not running; there are " + running.keySet());
        }
        return node;
    }

    Node requireLeader(TopicPartition partition, PartitionInfo info) {
        if (info.leader() == PartitionInfo.NO_LEADER) {
            throw new IllegalStateException(partition + " has no leader: down are nodes " + info.replicas());
        }
        return require(info.leader());
    }

    int requireId(int id) {
        if (id < 0 || id >= count) {
            throw new IllegalArgumentException("node " + id + ": allowed are 0 to " + (count - 1));
        }
        return id;
    }

    Stream<Node> all() {
        return running.values().stream();
    }
}
