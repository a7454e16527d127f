package io.github.kafkatxn.cluster.internal.share;

/**
 * The end of a transaction, as a state partition has it in its log.
 *
 * @param statePartition the number of the partition of {@code __share_group_state}
 * @param producerId whose transaction
 * @param producerEpoch of the marker
 * @param commit how it ended
 * @param strict whether its epoch is higher than that of the transaction, as transaction version 2 has it
 */
public record Marker(int statePartition, long producerId, short producerEpoch, boolean commit, boolean strict) {}
