package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;

/** Coordinates the groups of the partitions of {@code __consumer_offsets} that its node leads. */
public final class GroupCoordinator {

    /**
     * The node leads a partition of {@code __consumer_offsets} from now on: groups and offsets are read from the log.
     *
     * @param partition which
     */
    public void onElection(LedPartition partition) {}

    /**
     * The node does not lead a partition of {@code __consumer_offsets} any more: what is known of it is forgotten, and
     * members that wait for an answer are told.
     *
     * @param partition its number
     */
    public void onResignation(int partition) {}

    /**
     * A marker has been appended to a partition of {@code __consumer_offsets}: the offsets that the producer has
     * pending there are committed or dropped.
     *
     * @param partition the number of the partition
     * @param producerId whose transaction has ended
     * @param commit whether it is committed
     */
    public void onMarker(int partition, long producerId, boolean commit) {}

    /**
     * The cluster has changed: offsets of deleted topics are dropped, subscriptions are looked at again.
     *
     * @param before how it was
     * @param now how it is, the node's own partitions taken over already
     */
    public void onImage(ClusterImage before, ClusterImage now) {}

    /** The node stops. Nobody is answered any more. */
    public void close() {}
}
