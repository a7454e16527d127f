package io.github.kafkatxn.cluster.fault;

/** A fault in force. Thread-safe. */
public interface FaultRule {

    /** {@return how often it has had its effect} */
    int hits();

    /** Waits until it has had its effect once, 10 seconds at most; an {@link AssertionError} tells if it has not. */
    void awaitHit();

    /**
     * Waits until it has had its effect, 10 seconds at most; an {@link AssertionError} tells if it has not.
     *
     * @param count how often
     */
    void awaitHits(int count);

    /** Lets go what it holds, in the order it came, and whatever it would hold from now on. */
    void release();

    /** It has no effect any more, and lets go what it holds. Without effect if it is removed already. */
    void remove();
}
