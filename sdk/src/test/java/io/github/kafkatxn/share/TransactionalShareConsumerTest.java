package io.github.kafkatxn.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockShareConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;

/** What the consumer does before it has met a broker. */
class TransactionalShareConsumerTest {

    @Test
    void theModeIsFixed() {
        assertThatThrownBy(() -> create(Map.of("group.id", "g", "share.acknowledgement.mode", "implicit")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("share.acknowledgement.mode=implicit", "explicit");
        create(Map.of("group.id", "g", "share.acknowledgement.mode", "explicit"))
                .close(Duration.ZERO);
    }

    @Test
    void aGroupIsNeeded() {
        assertThatThrownBy(() -> create(Map.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> create(Map.of("group.id", " ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("group.id");
    }

    @Test
    void theClientOfThisBuildIsKnown() {
        try (TransactionalShareConsumer<String, String> consumer = create(Map.of("group.id", "g"))) {
            ShareGroupMetadata member = consumer.shareGroupMetadata().orElseThrow();
            assertThat(member.groupId()).isEqualTo("g");
            assertThat(member.memberId()).isNotEmpty();
            assertThat(member.memberEpoch()).isNotPositive();
            assertThat(consumer.acknowledgementsForTransaction().orElseThrow().isEmpty())
                    .isTrue();
        }
    }

    /** It still works outside of transactions. */
    @Test
    void aClientOfAnotherKindIsToldByWhatIsMissing() {
        MockShareConsumer<String, String> client = new MockShareConsumer<>();
        TransactionalShareConsumer<String, String> consumer = new TransactionalShareConsumer<>("g", client);
        consumer.subscribe(List.of("t"));
        client.addRecord(new ConsumerRecord<>("t", 0, 7, "", "value"));
        ConsumerRecord<String, String> record =
                consumer.poll(Duration.ZERO).iterator().next();
        assertThat(record.value()).isEqualTo("value");
        consumer.acknowledge(record, AcknowledgeType.ACCEPT);
        assertThat(consumer.commitSync(Duration.ZERO)).isEmpty();

        assertUnknown(consumer.acknowledgementsForTransaction().error().orElseThrow());
        assertUnknown(consumer.shareGroupMetadata().error().orElseThrow());
    }

    private static void assertUnknown(TxnError error) {
        assertThat(error.category()).isEqualTo(ErrorCategory.INVALID_CONFIGURATION);
        assertThat(error.action()).isEqualTo(Action.STOP);
        assertThat(error.message()).contains("kafka-clients 4.4.0", MockShareConsumer.class.getName());
    }

    @Test
    void acknowledgementsOfAnotherConsumerAreNotTakenBack() {
        try (TransactionalShareConsumer<String, String> consumer = create(Map.of("group.id", "g"));
                TransactionalShareConsumer<String, String> other = create(Map.of("group.id", "g"))) {
            ShareAcknowledgements acknowledgements =
                    consumer.acknowledgementsForTransaction().orElseThrow();
            consumer.takeBack(acknowledgements);
            assertThatThrownBy(() -> other.takeBack(acknowledgements)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static TransactionalShareConsumer<String, String> create(Map<String, Object> more) {
        Map<String, Object> properties = new HashMap<>(more);
        properties.put("bootstrap.servers", "localhost:1");
        return TransactionalShareConsumer.create(properties, new StringDeserializer(), new StringDeserializer());
    }
}
