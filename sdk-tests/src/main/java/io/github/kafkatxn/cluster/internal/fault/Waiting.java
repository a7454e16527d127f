package io.github.kafkatxn.cluster.internal.fault;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits on a monitor, 10 seconds at most. */
final class Waiting {
    private static final long LIMIT_SECONDS = 10;

    private Waiting() {}

    static void on(Object monitor, BooleanSupplier condition, Supplier<String> what) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        synchronized (monitor) {
            while (!condition.getAsBoolean()) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    throw new AssertionError("waited " + LIMIT_SECONDS + " s for " + what.get());
                }
                try {
                    monitor.wait(left);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted while waiting for " + what.get(), e);
                }
            }
        }
    }
}
