package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;

/** Coordinates the groups of the partitions of {@code __consumer_offsets} that its node leads. */
public final class GroupCoordinator {
    private final Map<Integer, GroupShard> shards = new TreeMap<>();
    private final int nodeId;
    private final GroupContext context;
    private boolean closed;

    /**
     * The coordinator of a node, without any group yet.
     *
     * @param nodeId the node
     * @param loop its thread and time
     * @param image what it knows of the cluster now
     * @param settings its configuration
     */
    public GroupCoordinator(int nodeId, EventLoop loop, Supplier<ClusterImage> image, NodeSettings settings) {
        this.nodeId = nodeId;
        this.context = new GroupContext(loop, image, settings);
    }

    /**
     * Where a group is coordinated.
     *
     * @param group its id
     * @return the groups it belongs to
     * @throws ApiException NOT_COORDINATOR if another node has it, COORDINATOR_LOAD_IN_PROGRESS if this node has not
     *     read it yet, COORDINATOR_NOT_AVAILABLE if this node stops
     */
    public GroupShard shardOf(String group) {
        if (closed) {
            throw Errors.COORDINATOR_NOT_AVAILABLE.exception();
        }
        TopicPartition partition = partitionOf(group).orElseThrow(Errors.NOT_COORDINATOR::exception);
        GroupShard shard = shards.get(partition.partition());
        if (shard == null) {
            throw (isLedHere(partition) ? Errors.COORDINATOR_LOAD_IN_PROGRESS : Errors.NOT_COORDINATOR).exception();
        }
        return shard;
    }

    /**
     * The partition of {@code __consumer_offsets} where a group is kept.
     *
     * @param group its id
     * @return the partition, empty while there is no such topic
     */
    public Optional<TopicPartition> partitionOf(String group) {
        return context.image()
                .get()
                .topic(InternalTopics.OFFSETS)
                .map(topic -> new TopicPartition(
                        topic.name(),
                        InternalTopics.partitionFor(group, topic.partitions().size())));
    }

    /**
     * All groups that are coordinated here.
     *
     * @return them, by partition
     * @throws ApiException COORDINATOR_LOAD_IN_PROGRESS if not all of them have been read yet,
     *     COORDINATOR_NOT_AVAILABLE if this node stops
     */
    public Collection<GroupShard> shards() {
        if (closed) {
            throw Errors.COORDINATOR_NOT_AVAILABLE.exception();
        }
        List<PartitionInfo> partitions = context.image()
                .get()
                .topic(InternalTopics.OFFSETS)
                .map(TopicInfo::partitions)
                .orElse(List.of());
        if (partitions.stream().anyMatch(led -> led.leader() == nodeId && !shards.containsKey(led.index()))) {
            throw Errors.COORDINATOR_LOAD_IN_PROGRESS.exception();
        }
        return Collections.unmodifiableCollection(shards.values());
    }

    /**
     * The node leads a partition of {@code __consumer_offsets} from now on: groups and offsets are read from the log.
     *
     * @param partition which
     */
    public void onElection(LedPartition partition) {
        shards.put(partition.id().partition(), new GroupShard(context, partition));
    }

    /**
     * The node does not lead a partition of {@code __consumer_offsets} any more: what is known of it is forgotten, and
     * members that wait for an answer are told.
     *
     * @param partition its number
     */
    public void onResignation(int partition) {
        GroupShard resigned = shards.remove(partition);
        if (resigned != null && !closed) {
            resigned.resign();
        }
    }

    /**
     * A marker has been appended to a partition of {@code __consumer_offsets}: the offsets that the producer has
     * pending there are committed or dropped.
     *
     * @param partition the number of the partition
     * @param producerId whose transaction has ended
     * @param commit whether it is committed
     */
    public void onMarker(int partition, long producerId, boolean commit) {
        GroupShard shard = shards.get(partition);
        if (shard != null) {
            shard.endTransaction(producerId, commit);
        }
    }

    /**
     * The cluster has changed: offsets of deleted topics are dropped, the pending ones too. Subscriptions are looked at
     * again with the next heartbeat of each group.
     *
     * @param before how it was
     * @param now how it is, the node's own partitions taken over already
     */
    public void onImage(ClusterImage before, ClusterImage now) {
        if (before.topics().stream().anyMatch(topic -> now.topic(topic.id()).isEmpty())) {
            shards.values().forEach(shard -> shard.dropDeletedTopics(now));
        }
    }

    /** The node stops. Nobody is answered any more. */
    public void close() {
        closed = true;
    }

    private boolean isLedHere(TopicPartition partition) {
        return context.image()
                .get()
                .partition(partition)
                .filter(led -> led.leader() == nodeId)
                .isPresent();
    }
}
