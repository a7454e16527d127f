package io.github.kafkatxn.cluster.internal.txn;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;

/** Coordinates the transactional ids of the partitions of {@code __transaction_state} that its node leads. */
public final class TransactionCoordinator {

    /**
     * The node leads a partition of {@code __transaction_state} from now on: its states are read from the log.
     *
     * @param partition which
     */
    public void onElection(LedPartition partition) {}

    /**
     * The node does not lead a partition of {@code __transaction_state} any more: what is known of it is forgotten.
     *
     * @param partition its number
     */
    public void onResignation(int partition) {}

    /**
     * The cluster has changed.
     *
     * @param before how it was
     * @param now how it is, the node's own partitions taken over already
     */
    public void onImage(ClusterImage before, ClusterImage now) {}

    /** The node stops. Nothing is sent or written any more. */
    public void close() {}
}
