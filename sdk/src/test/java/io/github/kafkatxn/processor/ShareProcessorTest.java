package io.github.kafkatxn.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShareProcessorTest {
    private static final RecordTransform<String, String, String, String> NOTHING = (record, outputs) -> {};

    @Test
    void aShareGroupHasPropertiesOfItsOwn() {
        assertThat(share().build().consumerProperties())
                .containsEntry("group.id", "workers")
                .containsEntry("share.acknowledgement.mode", "explicit")
                .containsEntry("allow.auto.create.topics", false)
                .doesNotContainKeys("auto.offset.reset", "isolation.level", "enable.auto.commit");
    }

    @ParameterizedTest
    @CsvSource({
        "auto.offset.reset, earliest, share.auto.offset.reset of the group",
        "isolation.level, read_committed, share.isolation.level of the group",
        "session.timeout.ms, 6000, share.session.timeout.ms of the group",
        "heartbeat.interval.ms, 1000, share.heartbeat.interval.ms of the group",
        "group.instance.id, me, group.instance.id is not a setting of a share consumer",
        "group.protocol, consumer, group.protocol is not a setting of a share consumer",
        "enable.auto.commit, false, enable.auto.commit is not a setting of a share consumer",
        "share.acknowledgement.mode, implicit, share.acknowledgement.mode=implicit is refused"
    })
    void whatIsNotOfAShareConsumerIsRefusedByName(String name, String value, String message) {
        assertThatThrownBy(() -> share().consumerProperty(name, value).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(message);
    }

    @Test
    void theGroupIsMissing() {
        assertThatThrownBy(() -> share().shareGroupId(" ").build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shareGroupId is missing");
    }

    @Test
    void aRecordIsDeliveredTwiceAtLeast() {
        assertThatThrownBy(() -> share().maxDeliveries(1).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("maxDeliveries=1 must be from 2 to 32767");
    }

    @Test
    void atLeastOnceIsForShareGroups() {
        assertThatThrownBy(() -> share().groupId("group").atLeastOnce().build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("atLeastOnce() is for share groups");
    }

    @Test
    void eachProcessorHasItsKindOfGroup() {
        ProcessorSettings share = share().build();
        ProcessorSettings consumer = share().groupId("group").build();

        assertThatThrownBy(() -> ExactlyOnceProcessor.create(
                        share,
                        StringDeserializer::new,
                        StringDeserializer::new,
                        StringSerializer::new,
                        StringSerializer::new,
                        NOTHING))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ShareProcessor");
        assertThatThrownBy(() -> create(consumer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shareGroupId is missing")
                .hasMessageContaining("ExactlyOnceProcessor");
    }

    @Test
    void whatItPromisesIsNotKnownBeforeItHasAsked() {
        try (ShareProcessor processor = create(share().build())) {
            assertThat(processor.guarantee()).isEmpty();
            assertThat(processor.stopReason()).isEmpty();
        }
    }

    private static ShareProcessor create(ProcessorSettings settings) {
        return ShareProcessor.create(
                settings,
                StringDeserializer::new,
                StringDeserializer::new,
                StringSerializer::new,
                StringSerializer::new,
                NOTHING);
    }

    private static ProcessorSettings.Builder share() {
        return ProcessorSettings.builder()
                .bootstrapServers("localhost:9092")
                .shareGroupId("workers")
                .inputTopics("in");
    }
}
