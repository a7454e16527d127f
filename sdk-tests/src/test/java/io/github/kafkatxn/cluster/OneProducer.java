package io.github.kafkatxn.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** A cluster of one node with one topic, and an unmodified producer with one transactional id. */
abstract class OneProducer {
    static final String ID = "id";
    static final String TOPIC = "t";
    static final String BAD = "bad";

    private @Nullable ReferenceCluster running;

    @AfterEach
    void end() {
        if (running != null) {
            running.faults().verifyUsed();
            running.close();
        }
    }

    static Future<RecordMetadata> send(KafkaProducer<String, String> producer, String value) {
        return producer.send(new ProducerRecord<>(TOPIC, 0, null, value));
    }

    ReferenceCluster start(int transactionVersion) {
        running = ReferenceCluster.start(
                ClusterSettings.builder().transactionVersion(transactionVersion).build());
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", running.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
        return running;
    }

    static KafkaProducer<String, String> producer(ReferenceCluster cluster) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                cluster.bootstrapServers(),
                "transactional.id",
                ID,
                "max.request.size",
                1_000,
                "retry.backoff.ms",
                5);
        KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer() {
                    @Override
                    public byte[] serialize(String topic, String value) {
                        if (value.equals(BAD)) {
                            throw new SerializationException("refused");
                        }
                        return super.serialize(topic, value);
                    }
                });
        producer.initTransactions();
        return producer;
    }

    /** What is committed. */
    static List<String> read(ReferenceCluster cluster) {
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        List<String> values = new ArrayList<>();
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                cluster.bootstrapServers(),
                "isolation.level",
                "read_committed",
                "fetch.max.wait.ms",
                10);
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .until(
                        () -> cluster.state()
                                .transaction(ID)
                                .orElseThrow()
                                .state()
                                .name(),
                        state -> !state.startsWith("PREPARE"));
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }
}
