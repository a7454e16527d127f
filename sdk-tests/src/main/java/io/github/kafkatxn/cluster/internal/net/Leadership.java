package io.github.kafkatxn.cluster.internal.net;

import io.github.kafkatxn.cluster.internal.group.GroupCoordinator;
import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.log.LedPartitions;
import io.github.kafkatxn.cluster.internal.log.PartitionLog;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.share.ShareNode;
import io.github.kafkatxn.cluster.internal.txn.TransactionCoordinator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Takes and gives up the partitions of a node as the images say, and tells the coordinators. On the node's thread. */
final class Leadership {
    /** Leader epochs that this node has, or waits for the log of. */
    private final Map<TopicIdPartition, Integer> epochs = new HashMap<>();

    private final Map<TopicIdPartition, Consumer<PartitionLog>> takers = new HashMap<>();
    private final int nodeId;
    private final EventLoop loop;
    private final LogExchange logs;
    private final LedPartitions partitions;
    private final TransactionCoordinator transactions;
    private final GroupCoordinator groups;
    private final ShareNode share;
    private boolean stopped;

    Leadership(
            int nodeId,
            EventLoop loop,
            LogExchange logs,
            LedPartitions partitions,
            TransactionCoordinator transactions,
            GroupCoordinator groups,
            ShareNode share) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.logs = logs;
        this.partitions = partitions;
        this.transactions = transactions;
        this.groups = groups;
        this.share = share;
    }

    void apply(ClusterImage before, ClusterImage now) {
        for (TopicIdPartition id : List.copyOf(epochs.keySet())) {
            Integer epoch = ledEpoch(now, id);
            if (epoch == null || !epoch.equals(epochs.get(id))) {
                giveUp(id);
            }
        }
        for (TopicInfo topic : now.topics()) {
            for (PartitionInfo partition : topic.partitions()) {
                TopicIdPartition id =
                        new TopicIdPartition(topic.id(), new TopicPartition(topic.name(), partition.index()));
                if (partition.leader() == nodeId && !epochs.containsKey(id)) {
                    take(id, partition.leaderEpoch());
                }
            }
        }
        for (TopicInfo topic : before.topics()) {
            if (now.topic(topic.id()).isEmpty()) {
                topic.partitions()
                        .forEach(partition -> logs.drop(
                                new TopicIdPartition(topic.id(), new TopicPartition(topic.name(), partition.index()))));
            }
        }
    }

    void giveUpAll() {
        stopped = true;
        List.copyOf(epochs.keySet()).forEach(this::giveUp);
    }

    private @Nullable Integer ledEpoch(ClusterImage image, TopicIdPartition id) {
        return image.topic(id.topicId())
                .flatMap(topic -> topic.partition(id.partition()))
                .filter(partition -> partition.leader() == nodeId)
                .map(PartitionInfo::leaderEpoch)
                .orElse(null);
    }

    private void take(TopicIdPartition id, int epoch) {
        epochs.put(id, epoch);
        // A log that is free is led at once: who has created a topic finds it led when the answer comes.
        Consumer<PartitionLog> taker = log -> {
            if (loop.isCurrent()) {
                lead(id, epoch, log);
            } else {
                loop.execute(() -> lead(id, epoch, log));
            }
        };
        takers.put(id, taker);
        logs.take(id, taker);
    }

    private void lead(TopicIdPartition id, int epoch, PartitionLog log) {
        if (stopped || !Integer.valueOf(epoch).equals(epochs.get(id))) {
            logs.put(id, log);
            return;
        }
        takers.remove(id);
        LedPartition partition = new LedPartition(id, epoch, log, loop::millis);
        partitions.add(partition);
        switch (id.topic()) {
            case InternalTopics.TRANSACTIONS -> transactions.onElection(partition);
            case InternalTopics.OFFSETS -> groups.onElection(partition);
            case InternalTopics.SHARE_STATE -> share.coordinator().onElection(partition);
            default -> {
                // Share groups are read when somebody asks for them.
            }
        }
    }

    private void giveUp(TopicIdPartition id) {
        epochs.remove(id);
        Consumer<PartitionLog> taker = takers.remove(id);
        if (taker != null) {
            logs.cancel(id, taker);
        }
        partitions.remove(id.topicPartition()).ifPresent(partition -> {
            switch (id.topic()) {
                case InternalTopics.TRANSACTIONS -> transactions.onResignation(id.partition());
                case InternalTopics.OFFSETS -> groups.onResignation(id.partition());
                case InternalTopics.SHARE_STATE -> share.coordinator().onResignation(id.partition());
                default -> share.partitions().onResignation(id);
            }
            logs.put(id, partition.log());
        });
    }
}
