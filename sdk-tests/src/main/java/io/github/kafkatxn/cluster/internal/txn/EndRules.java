package io.github.kafkatxn.cluster.internal.txn;

import org.apache.kafka.common.protocol.Errors;

/**
 * What becomes of a request to end a transaction, by what is stored. From PREPARE on the move to COMPLETE is pending:
 * whoever asks is told to wait, whatever they want, as with a broker.
 */
final class EndRules {
    private EndRules() {}

    /** What to do. */
    enum Kind {
        /** It is decided now. */
        PREPARE,
        /** It was decided so before: the answer is given again. */
        DONE_BEFORE,
        /** It cannot be. */
        REFUSED
    }

    record Decision(Kind kind, Errors error) {
        private static final Decision PREPARE = new Decision(Kind.PREPARE, Errors.NONE);
        private static final Decision DONE_BEFORE = new Decision(Kind.DONE_BEFORE, Errors.NONE);
        private static final Decision UNDER_WAY = refused(Errors.CONCURRENT_TRANSACTIONS);

        private static Decision refused(Errors error) {
            return new Decision(Kind.REFUSED, error);
        }
    }

    /** Before transaction version 2: the epoch stays, and a repeated request looks like the first one. */
    static Decision decide(TransactionMetadata stored, long producerId, short epoch, boolean commit) {
        if (stored.producerId() != producerId) {
            return Decision.refused(Errors.INVALID_PRODUCER_ID_MAPPING);
        }
        if (stored.epoch() != epoch) {
            return Decision.refused(Errors.PRODUCER_FENCED);
        }
        return switch (stored.state()) {
            case ONGOING -> Decision.PREPARE;
            case PREPARE_COMMIT, PREPARE_ABORT -> Decision.UNDER_WAY;
            case COMPLETE_COMMIT -> repeated(commit);
            case COMPLETE_ABORT -> repeated(!commit);
            default -> Decision.refused(Errors.INVALID_TXN_STATE);
        };
    }

    /** Transaction version 2: a repeated request is known by its epoch, which is the one before the stored one. */
    static Decision decideBumping(TransactionMetadata stored, long producerId, short epoch, boolean commit) {
        if (stored.state().isPrepared()) {
            return Decision.UNDER_WAY;
        }
        boolean overflowRetry = producerId == stored.previousProducerId()
                && epoch == TransactionMetadata.EXHAUSTED_EPOCH
                && stored.epoch() == 0;
        if (stored.producerId() != producerId && !overflowRetry) {
            return Decision.refused(Errors.INVALID_PRODUCER_ID_MAPPING);
        }
        boolean retry = overflowRetry || stored.epoch() == epoch + 1;
        boolean current = stored.producerId() == producerId && stored.epoch() == epoch;
        boolean valid = switch (stored.state()) {
            case EMPTY, ONGOING -> current;
            default -> retry || current;
        };
        if (!valid) {
            return Decision.refused(Errors.PRODUCER_FENCED);
        }
        return switch (stored.state()) {
            case ONGOING -> Decision.PREPARE;
            case EMPTY -> withoutTransaction(commit);
            case COMPLETE_COMMIT -> retry ? repeated(commit) : withoutTransaction(commit);
            case COMPLETE_ABORT -> retry ? repeated(!commit) : withoutTransaction(commit);
            default -> Decision.refused(Errors.INVALID_TXN_STATE);
        };
    }

    private static Decision repeated(boolean sameEnd) {
        return sameEnd ? Decision.DONE_BEFORE : Decision.refused(Errors.INVALID_TXN_STATE);
    }

    /** An abort without a transaction gives the producer a fresh epoch. */
    private static Decision withoutTransaction(boolean commit) {
        return commit ? Decision.refused(Errors.INVALID_TXN_STATE) : Decision.PREPARE;
    }
}
