package io.github.kafkatxn.cluster.internal.metadata;

import java.util.List;

/**
 * A partition as the cluster knows it.
 *
 * @param index its number
 * @param replicas the nodes that may lead it, the preferred one first
 * @param leader the node that leads it, {@link #NO_LEADER} if none does
 * @param leaderEpoch grows with every change of the leader
 */
public record PartitionInfo(int index, List<Integer> replicas, int leader, int leaderEpoch) {
    /** Nobody leads the partition. */
    public static final int NO_LEADER = -1;

    /** Takes a copy of the replicas. */
    public PartitionInfo {
        replicas = List.copyOf(replicas);
    }

    PartitionInfo ledBy(int node) {
        return new PartitionInfo(index, replicas, node, leaderEpoch + 1);
    }
}
