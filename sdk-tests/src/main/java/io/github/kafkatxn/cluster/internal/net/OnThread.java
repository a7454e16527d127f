package io.github.kafkatxn.cluster.internal.net;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Lets another thread do something, and waits for it. */
final class OnThread {
    private static final long LIMIT_MS = 10_000;

    private OnThread() {}

    /**
     * Waits 10 seconds at most.
     *
     * @param thread where the work is done
     * @param whose its name, for the message if it does not answer
     * @param work does not wait
     * @return what the work came to; what it threw is thrown
     */
    static <T> T call(Executor thread, String whose, Supplier<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                result.complete(work.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        try {
            return result.get(LIMIT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException(whose + " has not answered in " + LIMIT_MS + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + whose, e);
        }
    }
}
