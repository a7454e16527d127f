package io.github.kafkatxn.producer;

import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.producer.TransactionListener.Outcome;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends one transaction: by commit, by abort, or by giving the producer up. Runs on the owner thread. */
final class TransactionEnd<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalProducer.class);

    /**
     * An abort that is not answered may be repeated, but not for ever: the client sends some requests ahead of it again
     * and again (a partition that is not there, for one), and nothing is lost with a new producer.
     */
    private static final int MAX_UNANSWERED_ABORTS = 3;

    private final ProducerCore<K, V> core;
    private final Transaction<K, V> transaction;
    private boolean offsetsUnanswered;
    private boolean abortedByCommit;
    private int unansweredAborts;

    TransactionEnd(ProducerCore<K, V> core, Transaction<K, V> transaction) {
        this.core = core;
        this.transaction = transaction;
    }

    /** The client goes on sending an unanswered offset request ahead of everything else, an abort included. */
    void offsetsFailed(RuntimeException refusedBy) {
        offsetsUnanswered = core.offsets.holdsUpAbort(refusedBy);
    }

    boolean abortedByCommit() {
        return abortedByCommit;
    }

    /** {@return why an operation does not fit the state of the transaction, or null} */
    @Nullable
    TxnError refusal(Operation operation) {
        ProducerState state = core.state();
        boolean legal = switch (state) {
            case IN_TRANSACTION, MUST_ABORT -> true;
            case COMMIT_PENDING -> operation == Operation.COMMIT;
            case ABORT_PENDING -> operation == Operation.ABORT;
            case NEW, READY, DEAD, CLOSED -> false;
        };
        if (!legal) {
            return Refusals.wrongState(operation, state);
        }
        boolean adds = operation == Operation.SEND_OFFSETS || operation == Operation.SEND_SHARE_ACKNOWLEDGEMENTS;
        return adds && state == ProducerState.MUST_ABORT ? transaction.failure().orElseThrow() : null;
    }

    TxnResult<TransactionStats> commit(Deadline deadline) {
        if (core.state() != ProducerState.COMMIT_PENDING) {
            TxnError poisoned = transaction.flush(deadline);
            if (poisoned != null) {
                core.moveTo(ProducerState.MUST_ABORT);
                return TxnResult.failure(
                        core.state() == ProducerState.CLOSED
                                ? Refusals.closedMeanwhile(Operation.COMMIT, poisoned.cause(), false)
                                : poisoned);
            }
        }
        if (!core.ask(ProducerState.COMMIT_PENDING)) {
            return TxnResult.failure(Refusals.wrongState(Operation.COMMIT, core.state()));
        }
        RuntimeException failure = core.calls.untilAnswered(Operation.COMMIT, deadline, core.client::commitTransaction);
        boolean closed = core.told();
        if (failure == null) {
            return ended(Outcome.COMMITTED, null);
        }
        return closed ? dead(Refusals.closedMeanwhile(Operation.COMMIT, failure, true)) : commitFailed(failure);
    }

    TxnResult<TransactionStats> abort(Deadline deadline) {
        if (abortedByCommit) {
            abortedByCommit = false;
            return TxnResult.success(transaction.stats());
        }
        if (!core.ask(ProducerState.ABORT_PENDING)) {
            return TxnResult.failure(Refusals.wrongState(Operation.ABORT, core.state()));
        }
        Deadline limit = offsetsUnanswered ? Deadline.in(core.shortAbort()) : deadline;
        RuntimeException failure = core.calls.untilAnswered(Operation.ABORT, limit, core.client::abortTransaction);
        boolean closed = core.told();
        if (failure == null) {
            return ended(Outcome.ABORTED, transaction.failure().orElse(null));
        }
        if (closed) {
            return dead(Refusals.closedMeanwhile(Operation.ABORT, failure, false));
        }
        unansweredAborts++;
        boolean hopeless = offsetsUnanswered || unansweredAborts >= MAX_UNANSWERED_ABORTS;
        Condition condition = hopeless ? Condition.UNUSABLE : Condition.COMPLETING;
        TxnError error =
                ErrorClassifier.classify(Operation.ABORT, failure, condition).withCause(withEarlierFailure(failure));
        return error.action() == Action.RETRY_CALL ? TxnResult.failure(error) : dead(error);
    }

    private TxnResult<TransactionStats> commitFailed(RuntimeException failure) {
        if (ProducerCore.saysNothing(failure)) {
            return commitRefusedWithoutReason(failure);
        }
        TxnError error = ErrorClassifier.classify(Operation.COMMIT, failure, Condition.COMPLETING);
        switch (error.action()) {
            case RETRY_CALL -> {
                LOG.warn("{}: {}", transaction.transactionalId(), error.message());
                core.listeners.inDoubt(error);
                return TxnResult.failure(error);
            }
            case ABORT_AND_REPLAY -> {
                core.moveTo(ProducerState.MUST_ABORT);
                return TxnResult.failure(transaction.fail(error));
            }
            default -> {
                return dead(error);
            }
        }
    }

    /** A bare KafkaException comes from a transaction that can be aborted as well as from a dead producer. */
    private TxnResult<TransactionStats> commitRefusedWithoutReason(RuntimeException failure) {
        RuntimeException abortFailure = core.calls.untilAnswered(
                Operation.ABORT, Deadline.in(core.shortAbort()), core.client::abortTransaction);
        if (abortFailure != null) {
            TxnError error = ErrorClassifier.classify(Operation.COMMIT, failure, Condition.UNUSABLE);
            suppress(error.cause(), abortFailure);
            return dead(error);
        }
        TxnError error = transaction.fail(ErrorClassifier.classify(Operation.COMMIT, failure, Condition.ABORTED));
        ended(Outcome.ABORTED, error);
        abortedByCommit = true;
        return TxnResult.failure(error);
    }

    private TxnResult<TransactionStats> ended(Outcome outcome, @Nullable TxnError error) {
        TransactionStats stats = transaction.stats();
        if (core.release(transaction)) {
            core.moveTo(ProducerState.READY);
            core.listeners.end(outcome, stats, error);
        }
        return TxnResult.success(stats);
    }

    private TxnResult<TransactionStats> dead(TxnError error) {
        TransactionStats stats = transaction.stats();
        LOG.warn("{}: {}", transaction.transactionalId(), error.message());
        if (core.release(transaction)) {
            core.moveTo(ProducerState.DEAD);
            core.listeners.end(Outcome.ABANDONED, stats, error);
        }
        return TxnResult.failure(error);
    }

    /** What went wrong first stays the cause; that the abort failed as well hangs on it. */
    private Throwable withEarlierFailure(RuntimeException abortFailure) {
        Throwable first = transaction.failure().map(TxnError::cause).orElse(abortFailure);
        suppress(first, abortFailure);
        return first;
    }

    private static void suppress(Throwable primary, Throwable secondary) {
        if (primary != secondary) {
            primary.addSuppressed(secondary);
        }
    }
}
