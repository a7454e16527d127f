package io.github.kafkatxn.examples.job;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/** Where one thread waits for what others see, bounded, and for the first failure of any of them. */
final class Signal {
    /** For conditions that nobody reports, since they are asked from the brokers. */
    private static final long LOOK_AGAIN_MILLIS = 200;

    private @Nullable JobFailure failure;

    synchronized void changed() {
        notifyAll();
    }

    /** Whoever waits gets the first failure; later ones hang on it. */
    synchronized void fail(JobFailure cause) {
        if (failure == null) {
            failure = cause;
        } else if (failure != cause) {
            failure.addSuppressed(cause);
        }
        notifyAll();
    }

    /**
     * Waits until the condition holds.
     *
     * @throws JobFailure if it does not in time, or the first failure that anybody has reported
     * @throws InterruptException if the thread is interrupted, with the flag set
     */
    void await(String what, Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            while (!condition.getAsBoolean()) {
                synchronized (this) {
                    if (failure != null) {
                        throw failure;
                    }
                    long left = (deadline - System.nanoTime()) / 1_000_000;
                    if (left <= 0) {
                        throw new JobFailure("not within " + limit.toSeconds() + " s: " + what);
                    }
                    wait(Math.min(left, LOOK_AGAIN_MILLIS));
                }
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
