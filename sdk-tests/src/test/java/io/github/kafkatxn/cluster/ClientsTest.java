package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ordinary work of unmodified clients: consume, transform, produce in transactions. */
@Timeout(60)
class ClientsTest {

    @ParameterizedTest(name = "{0} nodes, transaction version {1}, {2} protocol")
    @CsvSource({
        "1,2,consumer",
        "1,2,classic",
        "1,1,consumer",
        "1,1,classic",
        "1,0,classic",
        "3,2,consumer",
        "3,1,classic"
    })
    void recordsAreCopiedInTransactions(int nodes, int transactionVersion, String protocol) throws Exception {
        ClusterSettings settings = ClusterSettings.builder()
                .nodes(nodes)
                .transactionVersion(transactionVersion)
                .build();
        try (ReferenceCluster cluster = ReferenceCluster.start(settings);
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic("in", 3, (short) 1), new NewTopic("out", 3, (short) 1)))
                    .all()
                    .get();
            feed(cluster, 100);

            copy(cluster, protocol, 100);

            assertThat(read(cluster, "out", 100)).hasSize(100).doesNotHaveDuplicates();
        }
    }

    private static void feed(ReferenceCluster cluster, int count) {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", cluster.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            for (int i = 0; i < count; i++) {
                var unused = producer.send(new ProducerRecord<>("in", "key-" + i, "value-" + i));
            }
        }
    }

    private static void copy(ReferenceCluster cluster, String protocol, int count) {
        Map<String, Object> producing =
                Map.of("bootstrap.servers", cluster.bootstrapServers(), "transactional.id", "copy");
        try (KafkaConsumer<String, String> consumer = consumer(cluster, protocol);
                KafkaProducer<String, String> producer =
                        new KafkaProducer<>(producing, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            consumer.subscribe(List.of("in"));
            for (int copied = 0; copied < count; ) {
                var records = consumer.poll(Duration.ofSeconds(1));
                if (records.isEmpty()) {
                    continue;
                }
                producer.beginTransaction();
                Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
                for (ConsumerRecord<String, String> record : records) {
                    var unused = producer.send(new ProducerRecord<>("out", record.key(), record.value()));
                    offsets.put(
                            new TopicPartition(record.topic(), record.partition()),
                            new OffsetAndMetadata(record.offset() + 1));
                }
                producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
                producer.commitTransaction();
                copied += records.count();
            }
        }
    }

    private static List<String> read(ReferenceCluster cluster, String topic, int count) {
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = consumer(cluster, "classic")) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (values.size() < count) {
                consumer.poll(Duration.ofSeconds(1)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }

    private static KafkaConsumer<String, String> consumer(ReferenceCluster cluster, String protocol) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        cluster.bootstrapServers(),
                        "group.id",
                        "copies",
                        "group.protocol",
                        protocol,
                        "enable.auto.commit",
                        false,
                        "auto.offset.reset",
                        "earliest",
                        "isolation.level",
                        "read_committed",
                        "max.poll.records",
                        7),
                new StringDeserializer(),
                new StringDeserializer());
    }
}
