package io.github.kafkatxn.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.internal.client.ProducerInternals;
import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.producer.TransactionListener.OffsetsPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** A client whose inside is not the expected one sends offsets by itself. */
class UnknownClientTest {
    private static final Map<TopicPartition, OffsetAndMetadata> OFFSETS =
            Map.of(new TopicPartition("in", 0), new OffsetAndMetadata(5));

    @Test
    void aClientOfAnotherKindSendsOffsetsByItself() {
        List<OffsetsPath> paths = new ArrayList<>();
        ListenerHub listeners = new ListenerHub("id", List.of(new TransactionListener() {
            @Override
            public void onOffsets(String transactionalId, OffsetsPath path) {
                paths.add(path);
            }
        }));
        try (MockProducer<String, String> client =
                new MockProducer<>(true, new RoundRobinPartitioner(), new StringSerializer(), new StringSerializer())) {
            OffsetsSender sender = OwnOffsets.of(settings(), client, listeners);
            client.initTransactions();
            client.beginTransaction();
            sender.send(OFFSETS, new ConsumerGroupMetadata("group"), Map.of(), Deadline.in(Duration.ofSeconds(1)));
            client.commitTransaction();

            assertThat(client.consumerGroupOffsetsHistory()).containsExactly(Map.of("group", OFFSETS));
            assertThat(paths).containsExactly(OffsetsPath.UNKNOWN_CLIENT);
            assertThat(sender.holdsUpAbort(new TimeoutException())).isTrue();
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
