package io.github.kafkatxn.processor;

import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Makes the lanes of a processor. If one cannot be made, what has been made of it is closed again.
 *
 * @param keyDeserializer makes the input key deserializer, one per lane
 * @param valueDeserializer makes the input value deserializer, one per lane
 * @param keySerializer makes the output key serializer, one per producer
 * @param valueSerializer makes the output value serializer, one per producer
 * @param transform what to do with a record
 * @param input makes what a lane reads
 */
record LaneFactory<KI, VI, KO, VO>(
        Supplier<? extends Deserializer<? extends KI>> keyDeserializer,
        Supplier<? extends Deserializer<? extends VI>> valueDeserializer,
        Supplier<? extends Serializer<? super KO>> keySerializer,
        Supplier<? extends Serializer<? super VO>> valueSerializer,
        RecordTransform<KI, VI, KO, VO> transform,
        BiFunction<LaneContext, Patience, LaneInput> input) {

    Lane<KI, VI, KO, VO> make(LaneContext context) {
        ProcessorSettings settings = context.settings();
        ProducerRing<KO, VO> producers = new ProducerRing<>(settings, context.index(), keySerializer, valueSerializer);
        @Nullable RecordReader<KI, VI> reader = null;
        try {
            reader = RecordReader.of(keyDeserializer, valueDeserializer, settings.consumerProperties());
            Patience patience = new Patience(context);
            return new Lane<>(context, patience, input.apply(context, patience), producers, reader, transform);
        } catch (RuntimeException | Error e) {
            producers.close(Duration.ofSeconds(1));
            Utils.closeQuietly(reader, "deserializers");
            throw e;
        }
    }
}
