package io.github.kafkatxn.processor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop that consumes, transforms and produces in transactions, from start to stop.
 *
 * <p>It goes on through whatever passes: brokers that are away, coordinators that move, transactions that time out,
 * members that are fenced. It stops for what does not, and says why. External side effects of the transform are outside
 * the transaction.
 *
 * <p>Runs once: a stopped processor cannot be started again. {@link #start()}, {@link #stop}, {@link #awaitStop} and
 * {@link #close()} may be called by any thread; waiting for the stop inside the transform would wait for itself.
 */
public abstract sealed class Processor implements AutoCloseable permits ExactlyOnceProcessor, ShareProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(Processor.class);
    private static final Duration QUICK = Duration.ofMillis(100);

    private final ProcessorSettings settings;
    private final StopSignal stop;
    private final Function<LaneContext, Lane<?, ?, ?, ?>> factory;
    private final Runnable whenAllHaveEnded;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicReference<@Nullable StopReason> reason = new AtomicReference<>();
    private final CountDownLatch running = new CountDownLatch(1);
    private volatile List<LaneThread> threads = List.of();

    /**
     * A processor that has not started yet.
     *
     * @param surroundings what its lanes share
     * @param factory makes them, each on its thread
     */
    Processor(Surroundings surroundings, LaneFactory<?, ?, ?, ?> factory) {
        this.settings = surroundings.settings();
        this.stop = surroundings.stop();
        this.factory = factory::make;
        this.whenAllHaveEnded = surroundings.cluster()::close;
    }

    /**
     * Starts the lanes and returns.
     *
     * @throws IllegalStateException if it has been started before
     */
    public final void start() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("this processor has been started before; create another one");
        }
        List<LaneThread> all = new ArrayList<>();
        for (int i = 0; i < settings.concurrency(); i++) {
            LaneListeners listeners = new LaneListeners(i, settings.listeners());
            LaneContext context = new LaneContext(i, settings.laneName(i), settings, stop, listeners);
            all.add(new LaneThread(context, factory, this::laneIsOver));
        }
        threads = List.copyOf(all);
        int begun = 0;
        try {
            daemon("kafka-txn-end " + settings.laneName(0), this::awaitEnd);
            for (LaneThread lane : threads) {
                lane.start();
                begun++;
            }
        } finally {
            // The machine may have no more threads.
            if (begun < threads.size()) {
                threads.subList(begun, threads.size()).forEach(LaneThread::cancel);
                stop.request();
            }
        }
    }

    /**
     * Starts the lanes and waits until the processor has stopped, for whatever reason. An interrupt of the calling
     * thread stops it, and the flag is set on return. Once one lane is to stop all are, and this returns within the
     * {@linkplain ProcessorSettings.Builder#shutdownTimeout shutdown timeout}, also if a transform does not.
     *
     * @return why it has stopped
     * @throws IllegalStateException if it has been started before
     */
    public final StopReason run() {
        start();
        try {
            stop.await();
            awaitEndInTime();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
        }
        StopReason known = reason.get();
        return known != null ? known : StopReason.requested("Asked to stop; a lane has not ended yet.");
    }

    /**
     * Asks the lanes to stop. Each goes on with the batch it is at for at most a quarter of the shutdown timeout,
     * commits what is done by then, and closes its clients. At half the timeout a transform that has not returned is
     * interrupted, and answers that have not come are not waited for any longer. Returns at once.
     */
    public final void stop() {
        stop.request();
    }

    /**
     * Waits until the processor has stopped.
     *
     * @param timeout how long at most
     * @return why it has stopped; nothing if it has not, in that time
     * @throws InterruptedException if the calling thread is interrupted
     */
    public final Optional<StopReason> awaitStop(Duration timeout) throws InterruptedException {
        return running.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS)
                ? stopReason()
                : Optional.empty();
    }

    /** {@return why it has stopped; nothing before every lane has ended} */
    public final Optional<StopReason> stopReason() {
        return running.getCount() == 0 ? Optional.ofNullable(reason.get()) : Optional.empty();
    }

    /**
     * Stops and waits, at most the {@linkplain ProcessorSettings.Builder#shutdownTimeout shutdown timeout}. An
     * interrupt ends the wait, not the stop. Called by a transform or a listener it only asks for the stop.
     */
    @Override
    public final void close() {
        stop();
        if (!started.get() || threads.stream().anyMatch(LaneThread::isCurrentThread)) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            awaitEndInTime();
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitEndInTime() throws InterruptedException {
        if (awaitStop(stop.remaining()).isEmpty()) {
            LOG.error("{}: a lane has not ended within the shutdown timeout", settings.laneName(0));
        }
    }

    /** One lane that is over ends all. */
    private void laneIsOver(StopReason why) {
        if (reason.compareAndSet(null, why)) {
            LOG.info("{}: stopping, {}: {}", settings.laneName(0), why.kind(), why.message());
        }
        stop.request();
    }

    /** Waits for the stop, and sees to it that the lanes do not take longer for it than they may. */
    private void awaitEnd() {
        try {
            stop.await();
            threads.forEach(LaneThread::wakeup);
            // Mostly that is all there is to do.
            threads.get(0).await(QUICK);
            for (LaneThread lane : threads) {
                if (!lane.await(Duration.ZERO)) {
                    daemon("kafka-txn-hurry " + settings.laneName(0), lane::hurry);
                }
            }
            for (LaneThread lane : threads) {
                lane.await(Duration.ofNanos(Long.MAX_VALUE));
            }
            whenAllHaveEnded.run();
            running.countDown();
        } catch (InterruptedException e) {
            // Nobody has this thread.
            Thread.currentThread().interrupt();
        }
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
