package io.github.kafkatxn.producer;

import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.producer.CallGuard.Verdict;
import io.github.kafkatxn.producer.TransactionListener.Outcome;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnResult;
import java.time.Duration;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Closes a producer in a bounded time, in every state. */
final class ProducerClose {
    private static final Duration FINISHED = Duration.ofSeconds(1);

    private ProducerClose() {}

    static <K, V> TxnResult<Duration> close(ProducerCore<K, V> core, Duration timeout) {
        Deadline deadline = Deadline.in(timeout);
        ProducerState before = core.closed();
        if (before == ProducerState.CLOSED) {
            return TxnResult.success(Duration.ZERO);
        }
        core.offsets.close(deadline.within(margin(timeout)));
        core.shareAcknowledgements.close(deadline.within(margin(timeout)));
        Deadline answers = deadline.earlier(margin(timeout));
        boolean aborted = isToBeAborted(before) && abort(core, answers);
        RuntimeException failure = closeClient(core, graceful(before, answers), deadline);
        core.calls.close();
        Transaction<K, V> open = core.leftOpen();
        if (open != null && core.release(open)) {
            Outcome outcome = aborted ? Outcome.ABORTED : Outcome.ABANDONED;
            core.listeners.end(outcome, open.stats(), open.failure().orElse(null));
        }
        return failure == null
                ? TxnResult.success(timeout.minus(deadline.remaining()))
                : TxnResult.failure(ErrorClassifier.classify(Operation.CLOSE, failure, Condition.UNUSABLE));
    }

    private static boolean isToBeAborted(ProducerState before) {
        return before == ProducerState.IN_TRANSACTION
                || before == ProducerState.MUST_ABORT
                || before == ProducerState.ABORT_PENDING;
    }

    /**
     * The client's own close aborts an open transaction too, but does not say whether it has, and waits for all the
     * time it is given if nothing was sent in the transaction.
     */
    private static <K, V> boolean abort(ProducerCore<K, V> core, Deadline answers) {
        try (ClientCalls calls = new ClientCalls(core.settings, core.listeners)) {
            return calls.untilAnswered(Operation.ABORT, answers, core.client::abortTransaction) == null;
        }
    }

    /** What is kept for ending what does not answer. */
    private static Duration margin(Duration all) {
        Duration quarter = all.dividedBy(4);
        return quarter.compareTo(FINISHED) < 0 ? quarter : FINISHED;
    }

    /** How long the client may wait for answers. */
    private static Duration graceful(ProducerState before, Deadline answers) {
        boolean nothingToWaitFor = before == ProducerState.DEAD || before == ProducerState.NEW;
        Duration left = answers.remaining();
        return nothingToWaitFor && left.compareTo(FINISHED) > 0 ? FINISHED : left;
    }

    /** The client waits for its I/O thread without a bound once its own timeout is over: the guard ends that too. */
    private static <K, V> @Nullable RuntimeException closeClient(
            ProducerCore<K, V> core, Duration graceful, Deadline deadline) {
        boolean interrupted = Thread.interrupted();
        try (CallGuard guard = CallGuard.open()) {
            RuntimeException failure = null;
            Verdict verdict;
            guard.arm(deadline.nanoTime());
            try {
                core.client.close(graceful);
            } catch (RuntimeException e) {
                failure = e;
            } finally {
                verdict = guard.disarm();
            }
            interrupted |= verdict == Verdict.LATE_AND_INTERRUPTED;
            if (failure instanceof InterruptException) {
                interrupted |= verdict == Verdict.IN_TIME;
                Thread.interrupted();
            }
            return verdict != Verdict.IN_TIME
                    ? new TimeoutException("the producer's I/O thread did not end within "
                            + deadline.limit().toMillis()
                            + " ms; a send callback, an interceptor or a serializer blocks it")
                    : failure;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
