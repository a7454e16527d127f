package io.github.kafkatxn.processor;

import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Consumes in a share group, transforms and produces: a work queue, with as many workers as one likes (KIP-932).
 *
 * <pre>{@code
 * var settings = ProcessorSettings.builder()
 *         .bootstrapServers("localhost:9092").shareGroupId("workers").inputTopics("jobs")
 *         .deadLetterTopic("jobs-dead").build();
 * try (var processor = ShareProcessor.create(settings,
 *         StringDeserializer::new, StringDeserializer::new, StringSerializer::new, StringSerializer::new,
 *         (record, outputs) -> outputs.send("results", record.key(), work(record.value())))) {
 *     StopReason reason = processor.run();
 * }
 * }</pre>
 *
 * <p>Exactly once where the cluster takes acknowledgements into a transaction (KIP-1289: {@code share.version} 3 and
 * {@code transaction.version} 2): a record's outputs become visible once, together with its acknowledgement. Released
 * brokers cannot; there it refuses to start unless {@link ProcessorSettings.Builder#atLeastOnce()} says that at least
 * once will do, and then says so in its log, to its {@linkplain ProcessorListener#onStarted listeners} and in
 * {@link #guarantee()}.
 *
 * <p>A lane that cannot commit tries the same records again while it has them: their locks are renewed between records,
 * also while a batch takes long. <strong>The transform of one record must be shorter than the lock</strong>
 * ({@code share.record.lock.duration.ms} of the group, 30 s): else the record is somebody else's by then, its
 * acknowledgement is refused, and the transaction is aborted. A record that keeps failing is isolated, then rejected
 * and dead-lettered in one transaction; so is one that has been {@linkplain ProcessorSettings.Builder#maxDeliveries
 * delivered so often} that its workers may have died of it. Records come in no order.
 *
 * <p>A member is given whole batches of the log, which may be more than a transaction has; with the consumer property
 * {@code share.acquire.mode=record_limit} (KIP-1206) it is given no more than that, for jobs that are few and long.
 *
 * <p>Whether a group begins with what is there already ({@code share.auto.offset.reset}, default {@code latest}), and
 * whether it sees records of aborted transactions ({@code share.isolation.level}, default {@code read_uncommitted}),
 * are settings of the group at the broker; a processor warns of these defaults when it starts.
 */
public final class ShareProcessor extends Processor {
    private final ShareTerms terms;

    private ShareProcessor(Surroundings surroundings, LaneFactory<?, ?, ?, ?> lanes, ShareTerms terms) {
        super(surroundings, lanes);
        this.terms = terms;
    }

    /**
     * A processor that has not started yet.
     *
     * @param settings its settings, with a {@linkplain ProcessorSettings.Builder#shareGroupId share group}
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
     * @throws IllegalArgumentException if the settings are of a consumer group
     */
    public static <KI, VI, KO, VO> ShareProcessor create(
            ProcessorSettings settings,
            Supplier<? extends Deserializer<? extends KI>> keyDeserializer,
            Supplier<? extends Deserializer<? extends VI>> valueDeserializer,
            Supplier<? extends Serializer<? super KO>> keySerializer,
            Supplier<? extends Serializer<? super VO>> valueSerializer,
            RecordTransform<KI, VI, KO, VO> transform) {
        ProcessorChecks.require(
                settings.isOfShareGroup(),
                "shareGroupId is missing: a consumer group (groupId) is for ExactlyOnceProcessor");
        Surroundings surroundings = Surroundings.of(settings);
        ShareTerms terms = new ShareTerms(settings, surroundings.cluster());
        LaneFactory<KI, VI, KO, VO> lanes = new LaneFactory<>(
                keyDeserializer,
                valueDeserializer,
                keySerializer,
                valueSerializer,
                transform,
                (context, patience) -> new ShareInput(context, surroundings.topics(), terms));
        return new ShareProcessor(surroundings, lanes, terms);
    }

    /** {@return what it can promise, by what the cluster can do; nothing before it has asked} Any thread. */
    public Optional<Guarantee> guarantee() {
        return terms.guarantee();
    }
}
