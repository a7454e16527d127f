package io.github.kafkatxn.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.junit.WithKafka;
import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the test of an application looks: each has a cluster of its own, and unmodified clients connect to it. */
@Timeout(120)
@WithKafka
class BatchSenderTest {
    private static final String TOPIC = "batch-sender";

    @Test
    void sendsAllOfABatchOrNothingAndSurvivesAFence(ReferenceCluster kafka) {
        try (BatchSender sender = new BatchSender(settings(kafka, "sender"))) {
            sender.send(records("a", "b"));
            try (var foreign = new KafkaProducer<>(
                    Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "sender"),
                    new StringSerializer(),
                    new StringSerializer())) {
                foreign.initTransactions();
            }
            sender.send(records("c"));
            assertThatExceptionOfType(TxnException.class)
                    .isThrownBy(() -> sender.send(records("d", "x".repeat(2_000_000))))
                    .matches(e -> e.error().recordLevel());
        }
        assertThat(committed(kafka)).containsExactly("a", "b", "c");
    }

    @Test
    void goesOnAfterABatchThatWasRefused(ReferenceCluster kafka) {
        try (BatchSender sender = new BatchSender(settings(kafka, "sender"))) {
            sender.send(records("a"));
            kafka.faults().on(ApiKeys.PRODUCE).answerWith(Errors.TOPIC_AUTHORIZATION_FAILED);
            assertThatExceptionOfType(TxnException.class)
                    .isThrownBy(() -> sender.send(records("b")))
                    .matches(e -> e.error().action() == Action.STOP);
            sender.send(records("c"));
        }
        assertThat(committed(kafka)).containsExactly("a", "c");
    }

    @Test
    void isRefusedOnceClosed(ReferenceCluster kafka) {
        BatchSender sender = new BatchSender(settings(kafka, "sender"));
        sender.close();
        assertThatIllegalStateException().isThrownBy(() -> sender.send(records("a")));
    }

    @Test
    void goesOnAfterACommitInDoubt(ReferenceCluster kafka) {
        try (BatchSender sender = new BatchSender(impatient(kafka, "sender"))) {
            sender.send(records("a"));
            kafka.faults().on(ApiKeys.END_TXN).holdAnswer();
            assertThatExceptionOfType(TxnException.class)
                    .isThrownBy(() -> sender.send(records("b")))
                    .matches(e -> e.error().inDoubt());
            sender.send(records("c"));
        }
        assertThat(committed(kafka)).as("it was committed").containsExactly("a", "b", "c");
    }

    private static ProducerSettings impatient(ReferenceCluster kafka, String transactionalId) {
        return ProducerSettings.builder()
                .bootstrapServers(kafka.bootstrapServers())
                .transactionalId(transactionalId)
                .callTimeout(Duration.ofSeconds(1))
                .property("max.block.ms", 800)
                .build();
    }

    private static ProducerSettings settings(ReferenceCluster kafka, String transactionalId) {
        return ProducerSettings.builder()
                .bootstrapServers(kafka.bootstrapServers())
                .transactionalId(transactionalId)
                .build();
    }

    private static List<ProducerRecord<String, String>> records(String... values) {
        return Stream.of(values)
                .map(value -> new ProducerRecord<String, String>(TOPIC, value))
                .toList();
    }

    private static List<String> committed(ReferenceCluster kafka) {
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        List<String> values = new ArrayList<>();
        try (var consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", kafka.bootstrapServers(),
                        "isolation.level", "read_committed",
                        "auto.offset.reset", "earliest"),
                new StringDeserializer(),
                new StringDeserializer())) {
            consumer.assign(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }
}
