package io.github.kafkatxn.processor;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** That a processor is to stop, and until when what is in progress may still be finished. */
final class StopSignal {
    private final CountDownLatch requested = new CountDownLatch(1);
    private final Duration grace;
    private volatile long finishUntil;

    /** @param grace how long a batch in progress may go on */
    StopSignal(Duration grace) {
        this.grace = grace;
    }

    void request() {
        if (!isRequested()) {
            finishUntil = System.nanoTime() + grace.toNanos();
            requested.countDown();
        }
    }

    boolean isRequested() {
        return requested.getCount() == 0;
    }

    /** {@return whether what is in progress has to be given up now} */
    boolean graceIsOver(long nanoTime) {
        return isRequested() && nanoTime - finishUntil >= 0;
    }

    /**
     * Waits, unless it is to stop.
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
