package io.github.kafkatxn.processor;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Consumes, transforms and produces exactly once: every input record's outputs become visible once, together with its
 * offset, whatever fails in between.
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
 * <p>Runs once: a stopped processor cannot be started again. {@link #start()}, {@link #stop}, {@link #awaitStop} and
 * {@link #close()} may be called by any thread, but not by the transform.
 */
public final class ExactlyOnceProcessor implements AutoCloseable {
    private ExactlyOnceProcessor() {}

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
        throw new IllegalStateException();
    }

    /**
     * Starts the lanes and returns.
     *
     * @throws IllegalStateException if it has been started before
     */
    public void start() {}

    /**
     * Starts the lanes and waits until the processor has stopped, for whatever reason. An interrupt of the calling
     * thread stops it, and the flag is set on return.
     *
     * @return why it has stopped
     */
    public StopReason run() {
        throw new IllegalStateException();
    }

    /** Asks the lanes to stop: each finishes or aborts the batch it is at, and closes its clients. Returns at once. */
    public void stop() {}

    /**
     * Waits until the processor has stopped.
     *
     * @param timeout how long at most
     * @return why it has stopped; nothing if it has not, in that time
     * @throws InterruptedException if the calling thread is interrupted
     */
    public Optional<StopReason> awaitStop(Duration timeout) throws InterruptedException {
        throw new IllegalStateException();
    }

    /** {@return why it has stopped; nothing before that} */
    public Optional<StopReason> stopReason() {
        return Optional.empty();
    }

    /** Stops and waits, at most the {@linkplain ProcessorSettings.Builder#shutdownTimeout shutdown timeout}. */
    @Override
    public void close() {}
}
