package io.github.kafkatxn.producer;

import io.github.kafkatxn.producer.TransactionListener.Outcome;
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
        Transaction<K, V> open = core.current;
        if (open != null) {
            core.current = null;
            core.listeners.end(
                    before == ProducerState.COMMIT_PENDING || before == ProducerState.DEAD
                            ? Outcome.ABANDONED
                            : Outcome.ABORTED,
                    open.stats(),
                    open.failure().orElse(null));
        }
        return failure == null
                ? TxnResult.success(timeout.minus(deadline.remaining()))
                : TxnResult.failure(core.classify(Operation.CLOSE, failure, Condition.UNUSABLE));
    }

    /** The client waits for its I/O thread without a bound once its own timeout is over: the guard ends that too. */
    private static <K, V> @Nullable RuntimeException closeClient(
            ProducerCore<K, V> core, ProducerState before, Deadline deadline) {
        Duration all = deadline.limit();
        Duration margin = all.dividedBy(4).compareTo(FINISHED) < 0 ? all.dividedBy(4) : FINISHED;
        Duration graceful = all.minus(margin);
        boolean nothingToWaitFor = before == ProducerState.DEAD || before == ProducerState.NEW;
        if (nothingToWaitFor && graceful.compareTo(FINISHED) > 0) {
            graceful = FINISHED;
        }
        boolean interrupted = Thread.interrupted();
        try (CallGuard guard = CallGuard.open()) {
            guard.arm(deadline.nanoTime());
            RuntimeException failure = null;
            try {
                core.client.close(graceful);
            } catch (RuntimeException e) {
                failure = e;
            }
            boolean late = guard.disarm();
            if (failure instanceof InterruptException) {
                interrupted |= !late;
                Thread.interrupted();
            }
            return late
                    ? new TimeoutException("the producer's I/O thread did not end within " + all.toMillis()
                            + " ms; a send callback, an interceptor or a serializer blocks it")
                    : failure;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
