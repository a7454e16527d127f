package io.github.kafkatxn.cluster.internal.txn;

import org.apache.kafka.common.record.internal.RecordBatch;

/** What becomes of a transactional id without an open transaction when a producer is initialised (KIP-360, KIP-890). */
final class InitRules {
    private InitRules() {}

    /** What to do. */
    enum Step {
        /** The next epoch. */
        BUMP,
        /** Another producer id, epoch 0: the epochs of this one are used up. */
        ROTATE,
        /** The answer was lost: it is given again. */
        SAME_AGAIN,
        /** The producer has been replaced. */
        FENCED
    }

    /** Whether the producer id that the client has is right; its epoch is not looked at, but for an overflow. */
    static boolean fits(TransactionMetadata stored, long expectedId, short expectedEpoch) {
        return expectedId == RecordBatch.NO_PRODUCER_ID
                || stored.epoch() == RecordBatch.NO_PRODUCER_EPOCH
                || expectedId == stored.producerId()
                || (expectedId == stored.previousProducerId() && expectedEpoch >= TransactionMetadata.EXHAUSTED_EPOCH);
    }

    static Step next(TransactionMetadata stored, short expectedEpoch) {
        boolean unasked = expectedEpoch == RecordBatch.NO_PRODUCER_EPOCH;
        if (stored.isExhausted() && (unasked || expectedEpoch == stored.epoch())) {
            return Step.ROTATE;
        }
        if (unasked || stored.epoch() == RecordBatch.NO_PRODUCER_EPOCH || expectedEpoch == stored.epoch()) {
            return Step.BUMP;
        }
        return expectedEpoch == stored.lastEpoch() ? Step.SAME_AGAIN : Step.FENCED;
    }

    /** The epoch that a client may still name when it asks again. */
    static short lastEpoch(TransactionMetadata stored, short expectedEpoch) {
        return expectedEpoch == RecordBatch.NO_PRODUCER_EPOCH ? RecordBatch.NO_PRODUCER_EPOCH : stored.epoch();
    }
}
