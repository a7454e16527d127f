package io.github.kafkatxn.processor;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** That a processor is to stop, and until when: everything a stop takes shares one deadline. */
final class StopSignal {
    private final CountDownLatch requested = new CountDownLatch(1);
    private final long timeoutNanos;

    /** Written before the latch is opened, read after. */
    private long since;

    /** @param timeout how long a stop may take */
    StopSignal(Duration timeout) {
        this.timeoutNanos = timeout.toNanos();
    }

    /** {@return whether this is the first request} */
    synchronized boolean request() {
        if (isRequested()) {
            return false;
        }
        since = System.nanoTime();
        requested.countDown();
        return true;
    }

    boolean isRequested() {
        return requested.getCount() == 0;
    }

    /** {@return whether no further record is to be begun: a quarter of the time has passed} */
    boolean graceIsOver(long nanoTime) {
        return isRequested() && nanoTime - since >= timeoutNanos / 4;
    }

    /** {@return what is left of the time for stopping, never negative; all of it if nobody has asked yet} */
    Duration remaining() {
        return Duration.ofNanos(isRequested() ? Math.max(0, timeoutNanos - (System.nanoTime() - since)) : timeoutNanos);
    }

    /** Waits until somebody asks for the stop. */
    void await() throws InterruptedException {
        requested.await();
    }

    /**
     * Waits, unless it is to stop. An interrupt asks for a stop.
     *
     * @return whether the whole time has passed
     */
    boolean pause(Duration time) {
        try {
            return !requested.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            request();
            return false;
        }
    }
}
