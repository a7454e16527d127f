package io.github.kafkatxn.cluster.internal.log;

/**
 * A producer as its partition knows it.
 *
 * @param producerId its id
 * @param producerEpoch the latest epoch seen
 * @param lastSequence of its last batch, -1 if none of that epoch is known
 * @param lastTimestamp of its last batch or marker
 * @param coordinatorEpoch of its last marker, -1 if there was none
 * @param transactionStart the first offset of its open transaction, -1 if none is open
 */
public record ActiveProducer(
        long producerId,
        short producerEpoch,
        int lastSequence,
        long lastTimestamp,
        int coordinatorEpoch,
        long transactionStart) {}
