package io.github.kafkatxn.cluster;

import io.github.kafkatxn.cluster.fault.FaultPlan;
import io.github.kafkatxn.cluster.fault.RequestLog;
import io.github.kafkatxn.cluster.internal.api.NodeContext;
import io.github.kafkatxn.cluster.internal.fault.Faults;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.Controller;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.net.ControllerThread;
import io.github.kafkatxn.cluster.internal.net.Node;
import io.github.kafkatxn.cluster.internal.node.ClusterClock;
import io.github.kafkatxn.cluster.internal.share.SharePartition;
import io.github.kafkatxn.cluster.internal.share.SharePartitionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.TopicIdPartition;
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
    private final ClusterSettings settings;
    private final RunningNodes nodes;
    private final ControllerThread controller;
    private final Faults faults;
    private final ClusterClock clock;
    private final ClusterState state;
    private boolean closed;

    private ReferenceCluster(ClusterSettings settings) {
        this.settings = settings;
        this.controller = new ControllerThread(new Controller(Uuid.randomUuid().toString(), settings.features()));
        this.clock = settings.clock().<ClusterClock>map(ManualClock::join).orElseGet(ClusterClock::ofTheMachine);
        this.faults = new Faults(settings.nodes(), this::image);
        Node.Shared shared =
                new Node.Shared(controller, clock, new NodeSettings(settings.nodeProperties()), faults, faults::steps);
        this.nodes = new RunningNodes(settings.nodes(), id -> new Node(id, shared, settings.caps(id)));
        this.state = new ClusterState(this, this::inspectLeader);
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
        try {
            for (int id = 0; id < settings.nodes(); id++) {
                cluster.startNode(id);
            }
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    /** {@return where clients connect: the addresses of all nodes, stopped ones too} */
    public synchronized String bootstrapServers() {
        return nodes.bootstrapServers();
    }

    /**
     * Starts a node that is stopped, on the port it had, with the logs it had.
     *
     * @param id its id, 0 to the number of nodes - 1
     */
    public synchronized void startNode(int id) {
        if (closed) {
            throw new IllegalStateException("the cluster is closed");
        }
        nodes.start(id);
    }

    /**
     * Stops a node at once, as a crash would. Others of its partitions' replicas lead from now on.
     *
     * @param id its id
     */
    public synchronized void stopNode(int id) {
        nodes.stop(id);
    }

    /**
     * A node stands still, as a process does that gets no time: it reads nothing, answers nothing and runs no timer,
     * while its connections stay open. What needs it waits until it is resumed.
     *
     * @param id its id
     */
    public synchronized void pauseNode(int id) {
        nodes.require(id).pause();
    }

    /**
     * A node goes on where it stood still. Without effect if it does not stand still.
     *
     * @param id its id
     */
    public synchronized void resumeNode(int id) {
        nodes.require(id).resume();
    }

    /**
     * The link between two nodes is down, in both directions: what is under way is lost. Clients still reach both, and
     * so does the controller.
     *
     * @param a the id of one
     * @param b the id of the other
     */
    public synchronized void cut(int a, int b) {
        nodes.require(a).cut(nodes.requireId(b));
        nodes.require(b).cut(a);
    }

    /**
     * The link between two nodes is up again.
     *
     * @param a the id of one
     * @param b the id of the other
     */
    public synchronized void join(int a, int b) {
        nodes.require(a).join(nodes.requireId(b));
        nodes.require(b).join(a);
    }

    /**
     * The node that leads a partition.
     *
     * @param partition which
     * @return its id, -1 while all nodes that could are stopped
     */
    public int leader(TopicPartition partition) {
        return info(partition).leader();
    }

    /**
     * Another node leads a partition from now on. Moves a coordinator, too: it is the leader of the id's partition.
     *
     * @param partition which
     * @param node the id of the new leader, which is running
     */
    public synchronized void moveLeader(TopicPartition partition, int node) {
        nodes.require(node);
        leader(partition);
        controller.call(decide -> {
            decide.moveLeader(partition, node);
            return true;
        });
        // In the first turn the log changes hands, in the second one the new leader leads.
        inspectAll();
        inspectAll();
    }

    /**
     * Another node coordinates the transactions of an id from now on, and of the ids that share its partition.
     *
     * @param transactionalId the id, used before
     * @param node the id of the new coordinator, which is running
     */
    public void moveTransactionCoordinator(String transactionalId, int node) {
        moveLeader(transactionPartition(transactionalId), node);
    }

    /**
     * Another node coordinates a group from now on, and the groups that share its partition.
     *
     * @param group its id, used before
     * @param node the id of the new coordinator, which is running
     */
    public void moveGroupCoordinator(String group, int node) {
        moveLeader(groupPartition(group), node);
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

    /** {@return what its nodes know of transactions, producers, markers and offsets} */
    public ClusterState state() {
        return state;
    }

    /**
     * The partition of the internal topic where the state of a share partition is kept; its leader is the share
     * coordinator.
     *
     * @param group the share group
     * @param partition the partition
     * @return the partition of the internal topic
     */
    public TopicPartition sharePartition(String group, TopicPartition partition) {
        return internalPartition(
                InternalTopics.SHARE_STATE,
                new SharePartitionKey(group, topicId(partition), partition.partition()).coordinatorKey());
    }

    /**
     * The records of a share group in a partition, as the partition's leader has them: from the first one that is not
     * done with to the last one that anybody has seen.
     *
     * @param group the share group
     * @param partition the partition, whose leader is running
     * @return the records, none if nobody has fetched from that leader
     */
    public synchronized List<ShareRecord> shareRecords(String group, TopicPartition partition) {
        TopicIdPartition id = new TopicIdPartition(topicId(partition), partition);
        return inspectLeader(
                partition,
                node -> node.share().partitions().find(group, id).map(SharePartition::view).orElse(List.of()).stream()
                        .map(ShareRecord::of)
                        .toList());
    }

    private Uuid topicId(TopicPartition partition) {
        return image().topic(partition.topic())
                .map(TopicInfo::id)
                .orElseThrow(() -> new IllegalArgumentException("there is no topic " + partition.topic()));
    }

    /** {@return what goes wrong in it} */
    public FaultPlan faults() {
        return faults;
    }

    /** {@return the requests that came to its nodes, and their answers} */
    public RequestLog requests() {
        return faults.requests();
    }

    /**
     * Stops all nodes. Without effect if it is closed already. An {@link IllegalStateException} tells of a thread that
     * has not ended within 5 seconds; where all have, all sockets are closed.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        List<Runnable> ends = new ArrayList<>(nodes.takeAll());
        ends.add(controller::close);
        settings.clock().ifPresent(manual -> ends.add(() -> manual.leave(clock)));
        Ends.of(ends);
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
        nodes.all().forEach(node -> node.inspect(context -> true));
    }

    private synchronized <T> T inspectLeader(TopicPartition partition, Function<NodeContext, T> look) {
        return nodes.requireLeader(partition, info(partition)).inspect(look);
    }

    private PartitionInfo info(TopicPartition partition) {
        return image().partition(partition)
                .orElseThrow(() -> new IllegalArgumentException("there is no partition " + partition));
    }
}
