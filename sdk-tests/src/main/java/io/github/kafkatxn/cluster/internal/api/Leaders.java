package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.NodeInfo;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Who leads a partition: this node, or whom a client should ask instead. */
final class Leaders {
    private final NodeContext node;

    Leaders(NodeContext node) {
        this.node = node;
    }

    /**
     * Whether this node can be asked.
     *
     * @param partition which
     * @param leaderEpoch as the client knows it, -1 if it does not
     * @return {@link Errors#NONE} if this node leads the partition in that epoch and has its log
     */
    Errors check(TopicPartition partition, int leaderEpoch) {
        Optional<PartitionInfo> info = node.image().get().partition(partition);
        if (info.isEmpty()) {
            return Errors.UNKNOWN_TOPIC_OR_PARTITION;
        }
        Optional<LedPartition> led = node.partitions().find(partition);
        if (leaderEpoch != RecordBatch.NO_PARTITION_LEADER_EPOCH
                && (led.isPresent() || info.get().replicas().contains(node.nodeId()))) {
            int current = led.map(LedPartition::leaderEpoch).orElse(info.get().leaderEpoch());
            if (leaderEpoch != current) {
                return leaderEpoch < current ? Errors.FENCED_LEADER_EPOCH : Errors.UNKNOWN_LEADER_EPOCH;
            }
        }
        return led.isPresent() ? Errors.NONE : Errors.NOT_LEADER_OR_FOLLOWER;
    }

    /** A partition that {@link #check} has nothing against. */
    LedPartition get(TopicPartition partition) {
        return node.partitions().find(partition).orElseThrow();
    }

    /** {@return what one answer tells of leaders} */
    Hints hints() {
        return new Hints(node.image().get());
    }

    /** The leaders that one answer names, with the addresses of their nodes. */
    static final class Hints {
        private static final PartitionInfo UNKNOWN = new PartitionInfo(-1, List.of(), PartitionInfo.NO_LEADER, -1);

        private final Map<Integer, NodeInfo> nodes = new TreeMap<>();
        private final ClusterImage image;

        private Hints(ClusterImage image) {
            this.image = image;
        }

        /** The partition with its leader and leader epoch, both -1 if they are not known. */
        PartitionInfo of(TopicPartition partition) {
            PartitionInfo info = image.partition(partition).orElse(UNKNOWN);
            image.node(info.leader()).filter(NodeInfo::alive).ifPresent(leader -> nodes.put(leader.id(), leader));
            return info;
        }

        /** The nodes of all leaders named so far. */
        Iterable<NodeInfo> nodes() {
            return nodes.values();
        }
    }
}
