package io.github.kafkatxn.cluster.internal.node;

/** The time of a cluster, the same for all of its nodes. Safe for use by several threads. */
public interface ClusterClock {

    /** {@return milliseconds since the epoch} */
    long millis();

    /**
     * Tells of a step of a clock that a test moves.
     *
     * @param listener called after each step, on the thread that made it
     */
    void onStep(Runnable listener);

    /** {@return whether time passes by itself} */
    boolean runs();

    /** {@return the machine's time} */
    static ClusterClock ofTheMachine() {
        return new ClusterClock() {
            @Override
            public long millis() {
                return System.currentTimeMillis();
            }

            @Override
            public void onStep(Runnable listener) {
                // This clock makes no steps.
            }

            @Override
            public boolean runs() {
                return true;
            }
        };
    }
}
