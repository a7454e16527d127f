package io.github.kafkatxn.wire;

import java.time.Duration;

/** Interrupts that come while something is waited for. */
public final class Interrupts {
    private Interrupts() {}

    /**
     * Waits as one does who was interrupted and has to wait on nevertheless: the flag is off until that is over, and
     * then on.
     *
     * @param wait how long it takes
     */
    public static void during(Duration wait) {
        long end = System.nanoTime() + wait.toNanos();
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        Thread.currentThread().interrupt();
    }
}
