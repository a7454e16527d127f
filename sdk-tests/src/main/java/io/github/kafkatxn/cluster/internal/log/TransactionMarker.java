package io.github.kafkatxn.cluster.internal.log;

/**
 * The end of a transaction, as a coordinator tells it to the leaders of its partitions (KIP-98, KIP-890, KIP-1228).
 *
 * @param producerId whose transaction
 * @param producerEpoch of the marker; under transaction version 2 one more than that of the records
 * @param commit whether it is committed
 * @param coordinatorEpoch the leader epoch of the coordinator's partition
 * @param transactionVersion how its epoch is checked: 2 strictly, 0 and 1 as before
 */
public record TransactionMarker(
        long producerId, short producerEpoch, boolean commit, int coordinatorEpoch, byte transactionVersion) {}
