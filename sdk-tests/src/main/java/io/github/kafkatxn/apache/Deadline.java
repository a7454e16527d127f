package io.github.kafkatxn.apache;

import java.time.Duration;

/** A point in time that a wait does not pass, on the monotonic clock. */
final class Deadline {
    private final Duration timeout;
    private final long start = System.nanoTime();

    private Deadline(Duration timeout) {
        this.timeout = timeout;
    }

    static Deadline after(Duration timeout) {
        return new Deadline(timeout);
    }

    boolean passed() {
        return remaining().isZero();
    }

    /** Never negative. */
    Duration remaining() {
        Duration left = timeout.minus(elapsed());
        return left.isNegative() ? Duration.ZERO : left;
    }

    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    Duration timeout() {
        return timeout;
    }
}
