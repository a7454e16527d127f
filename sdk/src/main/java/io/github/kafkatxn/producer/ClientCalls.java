package io.github.kafkatxn.producer;

import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.producer.CallGuard.Verdict;
import io.github.kafkatxn.result.Operation;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Blocking calls of the client with a deadline, repeated until then where that is safe.
 *
 * <p>An interrupt from outside does not end them: the request is on its way whatever the thread does, and only its
 * answer tells how the transaction went. It is remembered, and the flag is set again when the call is over.
 *
 * <p>One call at a time.
 */
final class ClientCalls implements AutoCloseable {
    /** How a call went: the failure, if any, and whether it may be made again. */
    private record Attempt(@Nullable RuntimeException failure, boolean again) {}

    private static final Logger LOG = LoggerFactory.getLogger(TransactionalProducer.class);

    private final CallGuard guard = CallGuard.open();
    private final ListenerHub listeners;
    private final Retry retry;
    private Deadline deadline = Deadline.in(Duration.ZERO);
    private boolean interrupted;
    private Attempt last = new Attempt(null, false);

    ClientCalls(ProducerSettings settings, ListenerHub listeners) {
        this.listeners = listeners;
        RetryConfig config = settings.retry();
        this.retry = Retry.of(
                settings.transactionalId(),
                RetryConfig.<Attempt>custom()
                        .maxAttempts(config.getMaxAttempts())
                        .intervalBiFunction((attempt, result) -> Math.min(
                                config.<Attempt>getIntervalBiFunction().apply(attempt, result),
                                deadline.remaining().toMillis()))
                        .retryOnException(e -> false)
                        .retryOnResult(Attempt::again)
                        .build());
    }

    Retry.EventPublisher retryEvents() {
        return retry.getEventPublisher();
    }

    /**
     * Makes a call once.
     *
     * @return what it threw, or null; a {@link TimeoutException} once the deadline has passed
     */
    @Nullable
    RuntimeException once(Operation operation, Deadline limit, Runnable call) {
        deadline = limit;
        return rememberingInterrupt(() -> new Attempt(guarded(operation, call), false));
    }

    /**
     * Makes a call again and again while it fails with something that passes, until its deadline. Only for calls of the
     * client that wait for the same pending request when they are repeated: init, commit, abort.
     *
     * @return what the last attempt threw, or null
     */
    @Nullable
    RuntimeException untilAnswered(Operation operation, Deadline limit, Runnable call) {
        deadline = limit;
        return rememberingInterrupt(() -> {
            while (true) {
                try {
                    return retry.executeSupplier(() -> attempt(operation, call));
                } catch (CancellationException e) {
                    // The wait between two attempts was interrupted; the deadline still holds.
                    interrupted = true;
                    Thread.interrupted();
                } catch (RuntimeException e) {
                    // The attempts do not throw: it comes from what the user has hung on the retries.
                    LOG.warn("{}: an event consumer or interval of the retries failed", retry.getName(), e);
                    return last;
                }
            }
        });
    }

    @Override
    public void close() {
        guard.close();
    }

    private @Nullable RuntimeException rememberingInterrupt(Supplier<Attempt> call) {
        interrupted = Thread.interrupted();
        try {
            return call.get().failure();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Attempt attempt(Operation operation, Runnable call) {
        RuntimeException failure = guarded(operation, call);
        boolean again = failure instanceof RetriableException && !deadline.hasPassed();
        last = new Attempt(failure, again);
        if (failure != null && again) {
            listeners.retry(operation, failure);
        }
        return last;
    }

    private @Nullable RuntimeException guarded(Operation operation, Runnable call) {
        while (true) {
            RuntimeException failure = null;
            Verdict verdict;
            guard.arm(deadline.nanoTime());
            try {
                call.run();
            } catch (RuntimeException e) {
                failure = e;
            } finally {
                verdict = guard.disarm();
            }
            interrupted |= verdict == Verdict.LATE_AND_INTERRUPTED;
            if (!(failure instanceof InterruptException)) {
                return failure;
            }
            // The client sets the flag again when it throws; left set, the next wait would end at once.
            interrupted |= verdict == Verdict.IN_TIME;
            Thread.interrupted();
            if (verdict != Verdict.IN_TIME || deadline.hasPassed()) {
                return new TimeoutException(operation + " was not answered within "
                        + deadline.limit().toMillis() + " ms");
            }
        }
    }
}
