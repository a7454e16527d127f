package io.github.kafkatxn.cluster.internal.net;

import io.github.kafkatxn.cluster.internal.node.ClusterClock;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An {@link EventLoop} that waits for sockets. Its thread is a daemon and ends with {@link #close()}. */
final class NioLoop implements EventLoop, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NioLoop.class);
    private static final long CLOSE_LIMIT_MS = 5_000;

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Timers clusterTimers;
    private final Timers realTimers = new Timers(() -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    private final ClusterClock clock;
    private final Selector selector;
    private final Thread thread;
    private volatile boolean closing;
    private volatile CountDownLatch standstill = new CountDownLatch(0);

    /** What is attached to a key of the selector. */
    @FunctionalInterface
    interface Ready {
        /** The channel can do something; runs on the loop's thread. */
        void onReady(SelectionKey key);
    }

    NioLoop(String name, ClusterClock clock) {
        this.clock = clock;
        this.clusterTimers = new Timers(clock::millis);
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
        clock.onStep(this::runWhatIsDue);
    }

    void start() {
        thread.start();
    }

    /** Gives up a loop that was never started. */
    void discard() {
        closing = true;
        closeSelector();
    }

    Selector selector() {
        return selector;
    }

    @Override
    public long millis() {
        return clock.millis();
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (!isCurrent()) {
            selector.wakeup();
        }
    }

    @Override
    public Timer after(long millis, Runnable task) {
        return clusterTimers.add(millis, task);
    }

    @Override
    public Timer afterRealTime(long millis, Runnable task) {
        return realTimers.add(millis, task);
    }

    @Override
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** Nothing runs on the thread any more, and no socket is read, until it is resumed. Waits until that is so. */
    void pause() {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        standstill = end;
        execute(() -> {
            begun.countDown();
            await(end, Long.MAX_VALUE);
        });
        await(begun, CLOSE_LIMIT_MS);
    }

    /** The thread goes on where it stopped; without effect unless it was paused. */
    void resume() {
        standstill.countDown();
    }

    /**
     * Ends the thread once it has done what it was told before; timers do not run any more. Bounded: an
     * {@link IllegalStateException} tells if it has not ended.
     */
    @Override
    public void close() {
        closing = true;
        resume();
        selector.wakeup();
        if (isCurrent()) {
            return;
        }
        if (thread.getState() == Thread.State.NEW) {
            closeSelector();
        }
        try {
            thread.join(CLOSE_LIMIT_MS);
            if (thread.isAlive()) {
                throw new IllegalStateException(thread.getName() + " has not ended in " + CLOSE_LIMIT_MS + " ms");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void runWhatIsDue() {
        if (closing || isCurrent() || !thread.isAlive()) {
            return;
        }
        if (standstill.getCount() > 0) {
            execute(clusterTimers::runDue);
            return;
        }
        CountDownLatch done = new CountDownLatch(1);
        execute(() -> {
            clusterTimers.runDue();
            done.countDown();
        });
        try {
            if (!done.await(CLOSE_LIMIT_MS, TimeUnit.MILLISECONDS) && !closing) {
                LOG.warn("{} has not followed a step of the clock in {} ms", thread.getName(), CLOSE_LIMIT_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(CountDownLatch latch, long millis) {
        try {
            if (!latch.await(millis, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("a node has not stood still in " + millis + " ms");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!closing) {
                select();
                runTasks();
                guarded(clusterTimers::runDue);
                guarded(realTimers::runDue);
            }
            runTasks();
        } catch (IOException e) {
            LOG.error("{} cannot go on", thread.getName(), e);
        } finally {
            closeSelector();
        }
    }

    /** Does not wait while there is something to do; the sockets have their turn all the same. */
    private void select() throws IOException {
        if (tasks.isEmpty()) {
            selector.select(this::ready, timeout());
        } else {
            selector.selectNow(this::ready);
        }
    }

    private long timeout() {
        long millis = realTimers.untilNext();
        if (clock.runs()) {
            millis = Math.min(millis, clusterTimers.untilNext());
        }
        return millis == Long.MAX_VALUE ? 0 : Math.max(1, millis);
    }

    private void runTasks() {
        // Only as many as there are now: what they bring up waits until the sockets have had their turn.
        for (int left = tasks.size(); left > 0; left--) {
            Runnable task = tasks.poll();
            if (task != null) {
                guarded(task);
            }
        }
    }

    private void ready(SelectionKey key) {
        guarded(() -> ((Ready) key.attachment()).onReady(key));
    }

    /** One thing that goes wrong must not take the node down; it is a bug, and said loudly. */
    static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("a task of {} failed", Thread.currentThread().getName(), e);
        }
    }

    /** Whatever else went wrong: where the thread ends, its sockets end. */
    private void closeSelector() {
        try {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
        } catch (IOException e) {
            LOG.warn("the selector of {} could not be closed", thread.getName(), e);
        }
    }

    private static final class Timers {
        private final PriorityQueue<Due> queue =
                new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::number));
        private final LongSupplier now;
        private long numbers;

        Timers(LongSupplier now) {
            this.now = now;
        }

        Timer add(long millis, Runnable task) {
            Due due = new Due(now.getAsLong() + millis, numbers++, task);
            queue.add(due);
            return () -> queue.remove(due);
        }

        long untilNext() {
            Due next = queue.peek();
            return next == null ? Long.MAX_VALUE : Math.max(0, next.at() - now.getAsLong());
        }

        void runDue() {
            long until = now.getAsLong();
            for (Due next = queue.peek(); next != null && next.at() <= until; next = queue.peek()) {
                queue.remove();
                guarded(next.task());
            }
        }
    }

    private record Due(long at, long number, Runnable task) {}
}
