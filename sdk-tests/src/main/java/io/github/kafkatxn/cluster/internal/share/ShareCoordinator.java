package io.github.kafkatxn.cluster.internal.share;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;

/**
 * Keeps the states of the share partitions that belong to the partitions of {@code __share_group_state} its node leads.
 * Belongs to the node's thread.
 */
public final class ShareCoordinator {
    private final Map<Integer, ShareStateShard> shards = new HashMap<>();
    private final int nodeId;
    private final EventLoop loop;
    private final Supplier<ClusterImage> image;

    /**
     * Keeps nothing yet.
     *
     * @param nodeId its node
     * @param loop the node's thread and time
     * @param image what the node knows of the cluster
     */
    public ShareCoordinator(int nodeId, EventLoop loop, Supplier<ClusterImage> image) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.image = image;
    }

    /**
     * Where a share partition is kept.
     *
     * @param key which
     * @return those it is kept with
     * @throws ApiException NOT_COORDINATOR if another node has it, COORDINATOR_LOAD_IN_PROGRESS if this node has not
     *     read it yet
     */
    public ShareStateShard shardOf(SharePartitionKey key) {
        Optional<PartitionInfo> partition = partitionOf(key);
        ShareStateShard shard = partition.map(info -> shards.get(info.index())).orElse(null);
        if (shard == null) {
            boolean soon = partition.filter(info -> info.leader() == nodeId).isPresent();
            throw (soon ? Errors.COORDINATOR_LOAD_IN_PROGRESS : Errors.NOT_COORDINATOR).exception();
        }
        return shard;
    }

    /**
     * The states of a partition of {@code __share_group_state}.
     *
     * @param partition its number
     * @return them, empty if this node does not lead it
     */
    public Optional<ShareStateShard> shard(int partition) {
        return Optional.ofNullable(shards.get(partition));
    }

    /**
     * The partition of {@code __share_group_state} where a share partition is kept.
     *
     * @param key which
     * @return the partition, empty while there is no such topic
     */
    public Optional<PartitionInfo> partitionOf(SharePartitionKey key) {
        return image.get()
                .topic(InternalTopics.SHARE_STATE)
                .map(TopicInfo::partitions)
                .map(all -> all.get(InternalTopics.partitionFor(key.coordinatorKey(), all.size())));
    }

    /**
     * The node leads a partition of {@code __share_group_state} from now on: states are read from the log.
     *
     * @param partition which
     */
    public void onElection(LedPartition partition) {
        shards.put(partition.id().partition(), new ShareStateShard(partition, loop::millis));
    }

    /**
     * The node does not lead a partition of {@code __share_group_state} any more.
     *
     * @param partition its number
     */
    public void onResignation(int partition) {
        shards.remove(partition);
    }
}
