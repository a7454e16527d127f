package io.github.kafkatxn.cluster;

import io.github.kafkatxn.cluster.fault.Interceptor;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.Controller;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.net.ControllerThread;
import io.github.kafkatxn.cluster.internal.net.Node;
import io.github.kafkatxn.cluster.internal.node.ClusterClock;
import io.github.kafkatxn.cluster.internal.txn.TransactionSteps;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/**
 * A Kafka of one or more nodes in this JVM, in memory, for tests. Every node has a thread and a loopback socket of its
 * own; unmodified clients connect to {@link #bootstrapServers()}.
 *
 * <p>Thread-safe. Calls wait for what they ask for, 10 seconds at most. Whoever makes a cluster closes it: its threads
 * and sockets are gone afterwards.
 */
public final class ReferenceCluster implements AutoCloseable {
    private final Map<Integer, Node> running = new TreeMap<>();
    private final Map<Integer, Integer> ports = new TreeMap<>();
    private final ClusterSettings settings;
    private final ControllerThread controller;
    private final Node.Shared shared;
    private boolean closed;

    private ReferenceCluster(ClusterSettings settings) {
        this.settings = settings;
        this.controller = new ControllerThread(new Controller(Uuid.randomUuid().toString(), settings.features()));
        this.shared = new Node.Shared(
                controller,
                ClusterClock.ofTheMachine(),
                new NodeSettings(settings.nodeProperties()),
                Interceptor.NONE,
                TransactionSteps.AT_ONCE);
    }

    /** {@return a cluster of one node with the defaults, running} */
    public static ReferenceCluster start() {
        return start(ClusterSettings.builder().build());
    }

    /**
     * Starts a cluster.
     *
     * @param settings what it looks like
     * @return the cluster, running
     */
    public static ReferenceCluster start(ClusterSettings settings) {
        ReferenceCluster cluster = new ReferenceCluster(settings);
        for (int id = 0; id < settings.nodes(); id++) {
            cluster.startNode(id);
        }
        return cluster;
    }

    /** {@return where clients connect: the addresses of all nodes, stopped ones too} */
    public synchronized String bootstrapServers() {
        return ports.values().stream().map(port -> "localhost:" + port).collect(Collectors.joining(","));
    }

    /**
     * Starts a node that is stopped, on the port it had, with the logs it had.
     *
     * @param id its id, 0 to the number of nodes - 1
     */
    public synchronized void startNode(int id) {
        requireId(id);
        if (closed) {
            throw new IllegalStateException("the cluster is closed");
        }
        if (running.containsKey(id)) {
            throw new IllegalStateException("node " + id + " is running");
        }
        Node node = new Node(id, shared, settings.caps());
        ports.put(id, node.start(ports.getOrDefault(id, 0)));
        running.put(id, node);
    }

    /**
     * Stops a node at once, as a crash would. Others of its partitions' replicas lead from now on.
     *
     * @param id its id
     */
    public synchronized void stopNode(int id) {
        requireRunning(id).stop();
        running.remove(id);
    }

    /**
     * A node stands still, as a process does that gets no time: it reads nothing, answers nothing and runs no timer,
     * while its connections stay open. What needs it waits until it is resumed.
     *
     * @param id its id
     */
    public synchronized void pauseNode(int id) {
        requireRunning(id).pause();
    }

    /**
     * A node goes on where it stood still. Without effect if it does not stand still.
     *
     * @param id its id
     */
    public synchronized void resumeNode(int id) {
        requireRunning(id).resume();
    }

    /**
     * The link between two nodes is down, in both directions: what is under way is lost. Clients still reach both, and
     * so does the controller.
     *
     * @param a the id of one
     * @param b the id of the other
     */
    public synchronized void cut(int a, int b) {
        requireRunning(a).cut(requireId(b));
        requireRunning(b).cut(a);
    }

    /**
     * The link between two nodes is up again.
     *
     * @param a the id of one
     * @param b the id of the other
     */
    public synchronized void join(int a, int b) {
        requireRunning(a).join(requireId(b));
        requireRunning(b).join(a);
    }

    /**
     * The node that leads a partition.
     *
     * @param partition which
     * @return its id
     */
    public int leader(TopicPartition partition) {
        return image().partition(partition)
                .map(PartitionInfo::leader)
                .orElseThrow(() -> new IllegalArgumentException("there is no partition " + partition));
    }

    /**
     * Another node leads a partition from now on. Moves a coordinator, too: it is the leader of the id's partition.
     *
     * @param partition which
     * @param node the id of the new leader
     */
    public void moveLeader(TopicPartition partition, int node) {
        requireId(node);
        controller.call(decide -> {
            decide.moveLeader(partition, node);
            return true;
        });
        inspectAll();
    }

    /**
     * The partition of the internal topic where a transactional id is kept; its leader is the transaction coordinator.
     *
     * @param transactionalId the id
     * @return the partition
     */
    public TopicPartition transactionPartition(String transactionalId) {
        return internalPartition(InternalTopics.TRANSACTIONS, transactionalId);
    }

    /**
     * The partition of the internal topic where a group is kept; its leader is the group coordinator.
     *
     * @param group its id
     * @return the partition
     */
    public TopicPartition groupPartition(String group) {
        return internalPartition(InternalTopics.OFFSETS, group);
    }

    /** Stops all nodes. Without effect if it is closed already. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        running.values().forEach(Node::stop);
        running.clear();
        controller.close();
    }

    private TopicPartition internalPartition(String topic, String key) {
        int partitions = image().topic(topic)
                .orElseThrow(() -> new IllegalStateException(topic + " is not there yet: nobody has used it"))
                .partitions()
                .size();
        return new TopicPartition(topic, InternalTopics.partitionFor(key, partitions));
    }

    private ClusterImage image() {
        return controller.call(Controller::image);
    }

    private synchronized void inspectAll() {
        running.values().forEach(node -> node.inspect(context -> true));
    }

    private Node requireRunning(int id) {
        Node node = running.get(requireId(id));
        if (node == null) {
            throw new IllegalStateException("node " + id + " is not running; there are " + running.keySet());
        }
        return node;
    }

    private int requireId(int id) {
        if (id < 0 || id >= settings.nodes()) {
            throw new IllegalArgumentException("node " + id + ": allowed are 0 to " + (settings.nodes() - 1));
        }
        return id;
    }
}
