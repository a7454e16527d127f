package io.github.kafkatxn.processor;

import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes, transforms and produces exactly once: every input record's outputs become visible once, together with its
 * offset, whatever fails in between (KIP-98, KIP-447).
 *
 * <pre>{@code
 * var settings = ProcessorSettings.builder()
 *         .bootstrapServers("localhost:9092").groupId("payments").inputTopics("orders")
 *         .deadLetterTopic("orders-dead").build();
 * try (var processor = ExactlyOnceProcessor.create(settings,
 *         StringDeserializer::new, StringDeserializer::new, StringSerializer::new, StringSerializer::new,
 *         (record, outputs) -> outputs.send("payments", record.key(), pay(record.value())))) {
 *     StopReason reason = processor.run();
 * }
 * }</pre>
 *
 * <p>It goes on through whatever passes: brokers that are away, coordinators that move, transactions that time out,
 * rebalances. It stops for what does not, and says why. External side effects of the transform are outside the
 * transaction.
 *
 * <p>Runs once: a stopped processor cannot be started again. {@link #start()}, {@link #stop}, {@link #awaitStop} and
 * {@link #close()} may be called by any thread; waiting for the stop inside the transform would wait for itself.
 */
public final class ExactlyOnceProcessor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ExactlyOnceProcessor.class);

    private final ProcessorSettings settings;
    private final StopSignal stop;
    private final InputTopics topics;
    private final Function<LaneContext, Lane<?, ?, ?, ?>> lanes;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicReference<@Nullable StopReason> reason = new AtomicReference<>();
    private final CountDownLatch running;
    private final List<Thread> threads = new ArrayList<>();
    private final List<Lane<?, ?, ?, ?>> open = new ArrayList<>();

    private ExactlyOnceProcessor(
            ProcessorSettings settings, InputTopics topics, Function<LaneContext, Lane<?, ?, ?, ?>> lanes) {
        this.settings = settings;
        this.stop = new StopSignal(settings.shutdownTimeout().dividedBy(4));
        this.topics = topics;
        this.lanes = lanes;
        this.running = new CountDownLatch(settings.concurrency());
    }

    /**
     * A processor that has not started yet.
     *
     * @param settings its settings
     * @param keyDeserializer makes the input key deserializer, one per lane
     * @param valueDeserializer makes the input value deserializer, one per lane
     * @param keySerializer makes the output key serializer, one per producer
     * @param valueSerializer makes the output value serializer, one per producer
     * @param transform what to do with a record
     * @param <KI> input key type
     * @param <VI> input value type
     * @param <KO> output key type
     * @param <VO> output value type
     * @return the processor; the caller closes it
     */
    public static <KI, VI, KO, VO> ExactlyOnceProcessor create(
            ProcessorSettings settings,
            Supplier<? extends Deserializer<? extends KI>> keyDeserializer,
            Supplier<? extends Deserializer<? extends VI>> valueDeserializer,
            Supplier<? extends Serializer<? super KO>> keySerializer,
            Supplier<? extends Serializer<? super VO>> valueSerializer,
            RecordTransform<KI, VI, KO, VO> transform) {
        InputTopics topics = new InputTopics(settings);
        return new ExactlyOnceProcessor(
                settings,
                topics,
                context -> new Lane<KI, VI, KO, VO>(
                        context,
                        topics,
                        new ProducerRing<>(settings, context.index(), keySerializer, valueSerializer),
                        new RecordReader<>(keyDeserializer, valueDeserializer, settings.consumerProperties()),
                        transform));
    }

    /**
     * Starts the lanes and returns.
     *
     * @throws IllegalStateException if it has been started before
     */
    public void start() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("this processor has been started before; create another one");
        }
        for (int i = 0; i < settings.concurrency(); i++) {
            String name = settings.laneName(i);
            LaneContext context = new LaneContext(i, name, settings, stop, new LaneListeners(i, settings.listeners()));
            threads.add(new Thread(() -> run(context), "kafka-txn-lane " + name));
        }
        threads.forEach(Thread::start);
    }

    /**
     * Starts the lanes and waits until the processor has stopped, for whatever reason. An interrupt of the calling
     * thread stops it, and the flag is set on return.
     *
     * @return why it has stopped
     * @throws IllegalStateException if it has been started before
     */
    public StopReason run() {
        start();
        try {
            running.await();
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
        }
        return stopReason().orElseGet(() -> StopReason.requested("Stopped by an interrupt; a lane has not ended yet."));
    }

    /**
     * Asks the lanes to stop: each finishes the batch it is at, or aborts it if that takes longer than a quarter of the
     * shutdown timeout, and closes its clients. Returns at once.
     */
    public void stop() {
        stop.request();
        synchronized (open) {
            open.forEach(Lane::wakeup);
        }
    }

    /**
     * Waits until the processor has stopped.
     *
     * @param timeout how long at most
     * @return why it has stopped; nothing if it has not, in that time
     * @throws InterruptedException if the calling thread is interrupted
     */
    public Optional<StopReason> awaitStop(Duration timeout) throws InterruptedException {
        return running.await(timeout.toNanos(), TimeUnit.NANOSECONDS) ? stopReason() : Optional.empty();
    }

    /** {@return why it has stopped; nothing before every lane has ended} */
    public Optional<StopReason> stopReason() {
        return running.getCount() == 0 ? Optional.ofNullable(reason.get()) : Optional.empty();
    }

    /**
     * Stops and waits, at most the {@linkplain ProcessorSettings.Builder#shutdownTimeout shutdown timeout}; a transform
     * that does not return by then is interrupted.
     */
    @Override
    public void close() {
        stop();
        if (!started.get()) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            Duration gentle = settings.shutdownTimeout().dividedBy(2);
            if (awaitStop(gentle).isEmpty()) {
                LOG.warn("{}: a lane has not ended within {}, interrupting it", settings.laneName(0), gentle);
                threads.forEach(Thread::interrupt);
                if (awaitStop(gentle).isEmpty()) {
                    LOG.error("{}: a lane has not ended within the shutdown timeout", settings.laneName(0));
                }
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(LaneContext context) {
        try {
            StopReason ended = runLane(context);
            if (reason.compareAndSet(null, ended)) {
                LOG.info("{}: stopping, {}: {}", context.name(), ended.kind(), ended.message());
            }
        } finally {
            stop();
            running.countDown();
        }
    }

    private StopReason runLane(LaneContext context) {
        TxnError unusable = topics.check();
        if (unusable != null) {
            return StopReasons.of(unusable);
        }
        Lane<?, ?, ?, ?> lane;
        try {
            lane = lanes.apply(context);
        } catch (RuntimeException e) {
            return StopReasons.of(StopReasons.onCreation(e));
        }
        synchronized (open) {
            open.add(lane);
        }
        try {
            return lane.run();
        } finally {
            synchronized (open) {
                open.remove(lane);
            }
        }
    }
}
