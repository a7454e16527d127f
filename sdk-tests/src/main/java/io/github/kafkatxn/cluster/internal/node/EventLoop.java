package io.github.kafkatxn.cluster.internal.node;

import java.util.concurrent.Executor;

/**
 * The one thread of a node, and its time. Everything a node knows belongs to this thread: what runs on it needs no
 * lock, and must not wait.
 *
 * <p>Two times: the cluster's, that a test may stop and step, decides what a broker decides by its clock (transaction
 * and session timeouts, acquisition locks); the machine's decides how long somebody is kept waiting for an answer (the
 * maximum wait of a fetch, back-off between nodes), so that clients go on while the cluster's time stands still.
 */
public interface EventLoop extends Executor {

    /** {@return the cluster's time in milliseconds since the epoch} */
    long millis();

    /**
     * Runs something on this thread, soon and in the order it was given. Every thread may call it.
     *
     * @param task does not wait and does not throw
     */
    @Override
    void execute(Runnable task);

    /**
     * Runs something once the cluster's time has come. Called on this thread.
     *
     * @param millis from now, 0 or more
     * @param task does not wait and does not throw
     * @return ends it early
     */
    Timer after(long millis, Runnable task);

    /**
     * Runs something once the machine's time has come, whatever the cluster's time does. Called on this thread.
     *
     * @param millis from now, 0 or more
     * @param task does not wait and does not throw
     * @return ends it early
     */
    Timer afterRealTime(long millis, Runnable task);

    /** {@return whether the caller is this thread} */
    boolean isCurrent();

    /** Something that will run. */
    interface Timer {

        /** It will not run any more; without effect once it has. Called on the thread of the loop. */
        void cancel();
    }
}
