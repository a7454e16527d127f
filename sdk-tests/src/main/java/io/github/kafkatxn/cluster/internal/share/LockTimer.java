package io.github.kafkatxn.cluster.internal.share;

import io.github.kafkatxn.cluster.internal.node.EventLoop;
import org.jspecify.annotations.Nullable;

/** One timer for all acquisition locks of a share partition: for the one that runs out first. */
final class LockTimer {
    private final EventLoop loop;
    private final Window window;
    private final Runnable expire;
    private EventLoop.@Nullable Timer timer;
    private long due;

    /**
     * Not set yet.
     *
     * @param loop the node's thread and time
     * @param window the offsets that may be locked
     * @param expire what to do when locks have run out
     */
    LockTimer(EventLoop loop, Window window, Runnable expire) {
        this.loop = loop;
        this.window = window;
        this.expire = expire;
    }

    /** Sets it, if there is a lock that runs out earlier than it would be told. */
    void arm() {
        long first = Long.MAX_VALUE;
        for (InFlight entry : window.offsets().values()) {
            if (entry.isLocked()) {
                first = Math.min(first, entry.lockedUntil());
            }
        }
        if (first == Long.MAX_VALUE || (timer != null && due <= first)) {
            return;
        }
        cancel();
        due = first;
        timer = loop.after(Math.max(0, first - loop.millis()), () -> {
            timer = null;
            expire.run();
            arm();
        });
    }

    void cancel() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
