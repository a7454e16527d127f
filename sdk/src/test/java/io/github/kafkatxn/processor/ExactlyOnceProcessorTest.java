package io.github.kafkatxn.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExactlyOnceProcessorTest {

    /** Wherever a lane is, an interrupt of it asks for the stop. */
    @Test
    void anInterruptWhileALaneIsMadeIsARequest() {
        Supplier<Deserializer<String>> interrupting = () -> {
            Thread.currentThread().interrupt();
            return new StringDeserializer();
        };

        StopReason reason = processor(interrupting).run();

        assertThat(reason.kind()).as(reason.message()).isEqualTo(StopReason.Kind.REQUESTED);
    }

    @Test
    void aWaitMayBeForEver() {
        try (ExactlyOnceProcessor processor = processor(StringDeserializer::new)) {
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> processor.awaitStop(ChronoUnit.FOREVER.getDuration()))
                    .isInstanceOf(InterruptedException.class);
        }
    }

    private static ExactlyOnceProcessor processor(Supplier<Deserializer<String>> keys) {
        ProcessorSettings settings = ProcessorSettings.builder()
                .bootstrapServers("localhost:9")
                .groupId("group")
                .inputTopics("in")
                .consumerProperty("group.protocol", "consumer")
                .build();
        return ExactlyOnceProcessor.create(
                settings,
                keys,
                StringDeserializer::new,
                StringSerializer::new,
                StringSerializer::new,
                (record, outputs) -> outputs.send("out", record.key(), record.value()));
    }
}
