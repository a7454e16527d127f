package io.github.kafkatxn.processor;

import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Consumes in a consumer group, transforms and produces exactly once: every input record's outputs become visible once,
 * together with its offset, whatever fails in between (KIP-98, KIP-447).
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
 */
public final class ExactlyOnceProcessor extends Processor {

    private ExactlyOnceProcessor(Surroundings surroundings, LaneFactory<?, ?, ?, ?> lanes) {
        super(surroundings, lanes);
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
        ProcessorChecks.require(
                !settings.isOfShareGroup(),
                "shareGroupId is set: a share group is for ShareProcessor, here it is groupId that is needed");
        Surroundings surroundings = Surroundings.of(settings);
        return new ExactlyOnceProcessor(
                surroundings,
                new LaneFactory<>(
                        keyDeserializer,
                        valueDeserializer,
                        keySerializer,
                        valueSerializer,
                        transform,
                        (context, patience) -> new GroupInput(context, surroundings.topics(), patience)));
    }
}
