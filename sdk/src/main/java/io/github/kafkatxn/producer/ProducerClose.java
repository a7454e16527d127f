package io.github.kafkatxn.producer;

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
        RuntimeException failure = closeClient(core, before, deadline);
        core.calls.close();
        Duration taken = timeout.minus(deadline.remaining());
        Transaction<K, V> open = core.leftOpen();
        if (open != null && core.release(open)) {
            // The client aborts an open transaction, and forces the end when its time is up without saying so.
            boolean aborted = before != ProducerState.COMMIT_PENDING
                    && failure == null
                    && taken.compareTo(graceful(before, timeout)) < 0;
            Outcome outcome = aborted ? Outcome.ABORTED : Outcome.ABANDONED;
            core.listeners.end(outcome, open.stats(), open.failure().orElse(null));
        }
        return failure == null
                ? TxnResult.success(taken)
                : TxnResult.failure(ErrorClassifier.classify(Operation.CLOSE, failure, Condition.UNUSABLE));
    }

    /** How long the client may wait for answers; the rest is for ending what does not answer. */
    private static Duration graceful(ProducerState before, Duration all) {
        Duration margin = all.dividedBy(4).compareTo(FINISHED) < 0 ? all.dividedBy(4) : FINISHED;
        Duration graceful = all.minus(margin);
        boolean nothingToWaitFor = before == ProducerState.DEAD || before == ProducerState.NEW;
        return nothingToWaitFor && graceful.compareTo(FINISHED) > 0 ? FINISHED : graceful;
    }

    /** The client waits for its I/O thread without a bound once its own timeout is over: the guard ends that too. */
    private static <K, V> @Nullable RuntimeException closeClient(
            ProducerCore<K, V> core, ProducerState before, Deadline deadline) {
        boolean interrupted = Thread.interrupted();
        try (CallGuard guard = CallGuard.open()) {
            RuntimeException failure = null;
            Verdict verdict;
            guard.arm(deadline.nanoTime());
            try {
                core.client.close(graceful(before, deadline.limit()));
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
