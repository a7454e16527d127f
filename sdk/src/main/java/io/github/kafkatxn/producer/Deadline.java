package io.github.kafkatxn.producer;

import java.time.Duration;

/** The one deadline of a call: everything the call waits for shares it. */
record Deadline(long startNanos, Duration limit) {

    static Deadline in(Duration limit) {
        return new Deadline(System.nanoTime(), limit);
    }

    /** {@return the deadline on the clock of {@link System#nanoTime()}} */
    long nanoTime() {
        return startNanos + limit.toNanos();
    }

    boolean hasPassed() {
        return System.nanoTime() - nanoTime() >= 0;
    }

    /** {@return a deadline before this one, of the same call} */
    Deadline earlier(Duration by) {
        return new Deadline(startNanos, limit.minus(by));
    }

    /** {@return what is left, never negative} */
    Duration remaining() {
        return Duration.ofNanos(Math.max(0, nanoTime() - System.nanoTime()));
    }
}
