package io.github.kafkatxn.cluster.internal.net;

import io.github.kafkatxn.cluster.internal.metadata.Controller;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The controller and its thread. */
public final class ControllerThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControllerThread.class);
    private static final long LIMIT_MS = 10_000;

    private final Controller controller;
    private final ThreadPoolExecutor thread;

    /** The executor has terminated a moment before its thread has ended. */
    private volatile @Nullable Thread latest;

    /**
     * Starts it.
     *
     * @param controller the controller; belongs to the new thread from now on
     */
    public ControllerThread(Controller controller) {
        this.controller = controller;
        this.thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread made = new Thread(task, "reference-cluster-controller");
            made.setDaemon(true);
            latest = made;
            return made;
        });
    }

    /**
     * Lets the controller do something and waits for it, 10 seconds at most.
     *
     * @param decide runs on the controller's thread
     * @param <T> the result
     * @return its result
     */
    public <T> T call(Function<Controller, T> decide) {
        return OnThread.call(thread, "the controller", () -> decide.apply(controller));
    }

    <T> void submit(Function<Controller, T> decide, Consumer<T> then) {
        try {
            thread.execute(() -> {
                try {
                    then.accept(decide.apply(controller));
                } catch (RuntimeException e) {
                    LOG.error("the controller failed", e);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("the controller has ended", e);
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(LIMIT_MS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the controller's thread has not ended in " + LIMIT_MS + " ms");
            }
            Thread last = latest;
            if (last != null) {
                last.join(LIMIT_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
