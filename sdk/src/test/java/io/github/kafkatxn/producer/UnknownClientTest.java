package io.github.kafkatxn.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.internal.client.ProducerInternals;
import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.internal.wire.MissingCapabilityException;
import io.github.kafkatxn.producer.TransactionListener.OffsetsPath;
import io.github.kafkatxn.share.ShareAcknowledgements;
import io.github.kafkatxn.share.ShareGroupMetadata;
import io.github.kafkatxn.share.TransactionalShareConsumer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** A client whose inside is not the expected one sends offsets by itself. */
class UnknownClientTest {
    private static final Map<TopicPartition, OffsetAndMetadata> OFFSETS =
            Map.of(new TopicPartition("in", 0), new OffsetAndMetadata(5));

    @Test
    @SuppressWarnings("removal") // The only way to name a group without a consumer.
    void aClientOfAnotherKindSendsOffsetsByItself() {
        ListenerHub listeners = new ListenerHub("id", List.of());
        try (MockProducer<String, String> client = new MockProducer<>(
                        true, new RoundRobinPartitioner(), new StringSerializer(), new StringSerializer());
                ClientCalls calls = new ClientCalls(settings(), listeners)) {
            OffsetsSender sender = OwnOffsets.of(settings(), client, calls, listeners);
            client.initTransactions();
            client.beginTransaction();
            OffsetsPath path = sender.send(
                    OFFSETS, new ConsumerGroupMetadata("group"), Map.of(), Deadline.in(Duration.ofSeconds(1)));
            client.commitTransaction();

            assertThat(client.consumerGroupOffsetsHistory()).containsExactly(Map.of("group", OFFSETS));
            assertThat(path).isEqualTo(OffsetsPath.UNKNOWN_CLIENT);
            assertThat(sender.holdsUpAbort(new TimeoutException())).isTrue();
        }
    }

    /** There is no other way for them, and none is tried. */
    @Test
    void shareAcknowledgementsOfAClientOfAnotherKindAreRefused() {
        try (MockProducer<String, String> client = new MockProducer<>(
                        true, new RoundRobinPartitioner(), new StringSerializer(), new StringSerializer());
                TransactionalShareConsumer<String, String> consumer = TransactionalShareConsumer.create(
                        Map.of("bootstrap.servers", "localhost:1", "group.id", "group"),
                        new StringDeserializer(),
                        new StringDeserializer())) {
            ShareAcknowledgementsSender sender =
                    new ShareAcknowledgementsSender(settings(), client, new ListenerHub("id", List.of()));
            ShareAcknowledgements acknowledgements =
                    consumer.acknowledgementsForTransaction().orElseThrow();

            assertThatThrownBy(() -> sender.send(
                            acknowledgements,
                            new ShareGroupMetadata("group", "member", 1),
                            Deadline.in(Duration.ofSeconds(1))))
                    .isInstanceOf(MissingCapabilityException.class)
                    .hasMessageContaining("kafka-clients 4.4.0");
        }
    }

    @Test
    void theClientOfThisBuildIsKnown() {
        try (KafkaProducer<String, String> client =
                new KafkaProducer<>(settings().properties(), new StringSerializer(), new StringSerializer())) {
            ProducerInternals internals = ProducerInternals.of(client).orElseThrow();

            assertThat(internals.identity()).isEqualTo(new ProducerInternals.Identity(-1, (short) -1));
            assertThat(internals.isTransactionVersion2()).isFalse();
        }
    }

    private static ProducerSettings settings() {
        return ProducerSettings.builder()
                .bootstrapServers("localhost:1")
                .transactionalId("id")
                .build();
    }
}
