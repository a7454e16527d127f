package io.github.kafkatxn.processor;

import io.github.kafkatxn.processor.StopReason.Kind;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The life of a lane on a thread of its own, and how others end it. */
final class LaneThread {
    private static final Logger LOG = LoggerFactory.getLogger(Processor.class);
    private static final long TICK_MILLIS = 20;

    private final LaneContext context;
    private final Function<LaneContext, Lane<?, ?, ?, ?>> factory;
    private final Consumer<StopReason> whenOver;
    private final Thread thread;
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Lane<?, ?, ?, ?> running;

    /**
     * A lane that is not made yet.
     *
     * @param context what it needs
     * @param factory makes it, on its thread
     * @param whenOver told why it is over, before it closes what it has
     */
    LaneThread(LaneContext context, Function<LaneContext, Lane<?, ?, ?, ?>> factory, Consumer<StopReason> whenOver) {
        this.context = context;
        this.factory = factory;
        this.whenOver = whenOver;
        this.thread = new Thread(this::run, "kafka-txn-lane " + context.name());
    }

    void start() {
        thread.start();
    }

    /** It will never be started. */
    void cancel() {
        ended.countDown();
    }

    boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    /** {@return whether it has closed everything, which is waited for} */
    boolean await(Duration timeout) throws InterruptedException {
        return ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Ends a wait for records. */
    synchronized void wakeup() {
        if (running != null) {
            running.wakeup();
        }
    }

    /**
     * Sees to it that the lane ends in time, once it is to stop. Waits for brokers end at once; at half time a
     * transform is interrupted, and calls that wait for answers are given up; shortly before the end so is the
     * consumer, which waits some seconds more than it is told to. Blocks until the lane has ended.
     */
    void hurry() {
        Duration half = context.settings().shutdownTimeout().dividedBy(2);
        boolean patient = true;
        boolean last = false;
        try {
            while (!ended.await(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
                Duration left = context.stop().remaining();
                Lane<?, ?, ?, ?> lane = running();
                if (lane != null && lane.stopConnecting()) {
                    interrupt();
                }
                if (lane != null && patient && left.compareTo(half) <= 0) {
                    patient = false;
                    LOG.warn("{}: has not ended within half the shutdown timeout, interrupting it", context.name());
                    interrupt();
                    lane.giveUp(half.dividedBy(2));
                    interrupt();
                } else if (!last && left.compareTo(half.dividedBy(5)) <= 0) {
                    last = true;
                    thread.interrupt();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Interrupts the lane unless it is closing. A call that waits for what a closed client will never be told is made
     * again then, and refused.
     */
    private synchronized void interrupt() {
        if (running != null) {
            thread.interrupt();
        }
    }

    private synchronized @Nullable Lane<?, ?, ?, ?> running() {
        return running;
    }

    private void run() {
        Lane<?, ?, ?, ?> lane = null;
        try {
            lane = create();
            if (lane != null) {
                whenOver.accept(lane.run());
            }
        } catch (Throwable e) {
            whenOver.accept(StopReason.of(Kind.UNEXPECTED, ErrorClassifier.classify(Operation.INIT, e, Condition.NEW)));
        } finally {
            close(lane);
            ended.countDown();
        }
    }

    private @Nullable Lane<?, ?, ?, ?> create() {
        try {
            Lane<?, ?, ?, ?> lane = factory.apply(context);
            synchronized (this) {
                running = lane;
            }
            return lane;
        } catch (RuntimeException e) {
            whenOver.accept(StopReasons.onCreation(e));
            return null;
        }
    }

    private void close(@Nullable Lane<?, ?, ?, ?> lane) {
        synchronized (this) {
            running = null;
        }
        if (lane != null) {
            try {
                lane.close();
            } catch (RuntimeException | Error e) {
                LOG.warn("{}: did not close cleanly", context.name(), e);
            }
        }
    }
}
