package io.github.kafkatxn.internal.wire;

import java.time.Duration;

/**
 * The one deadline of a call: everything the call waits for shares it.
 *
 * @param startNanos when the call began, on the clock of {@link System#nanoTime()}
 * @param limit how long it may take
 */
public record Deadline(long startNanos, Duration limit) {

    /**
     * A deadline for a call that begins now.
     *
     * @param limit how long it may take
     * @return the deadline
     */
    public static Deadline in(Duration limit) {
        return new Deadline(System.nanoTime(), limit);
    }

    /** {@return the deadline on the clock of {@link System#nanoTime()}} */
    public long nanoTime() {
        return startNanos + limit.toNanos();
    }

    /** {@return whether it has passed} */
    public boolean hasPassed() {
        return System.nanoTime() - nanoTime() >= 0;
    }

    /**
     * A deadline before this one, of the same call.
     *
     * @param by how much earlier
     * @return the deadline
     */
    public Deadline earlier(Duration by) {
        return new Deadline(startNanos, limit.minus(by));
    }

    /**
     * The deadline of a part of the call that begins now.
     *
     * @param part how long the part may take
     * @return that long from now, and not after this one
     */
    public Deadline within(Duration part) {
        return part.compareTo(remaining()) < 0 ? in(part) : this;
    }

    /** {@return what is left, never negative} */
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, nanoTime() - System.nanoTime()));
    }
}
