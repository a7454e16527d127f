package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of unmodified producers reach unmodified consumers, whatever is between them. */
@Timeout(60)
class RecordsRoundTripTest {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);

    private ReferenceCluster cluster;
    private Admin admin;

    @BeforeEach
    void start() throws Exception {
        cluster = ReferenceCluster.start(ClusterSettings.builder().nodes(2).build());
        admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
        create("t", Map.of());
    }

    @AfterEach
    void stop() {
        admin.close();
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void manyRecordsInSmallFetches(String compression) throws Exception {
        List<String> sent = new ArrayList<>();
        try (KafkaProducer<String, String> producer =
                producer(Map.of("compression.type", compression, "linger.ms", 5))) {
            for (int i = 0; i < 5_000; i++) {
                sent.add("value-" + i + "-" + "x".repeat(i % 300));
                var unused = producer.send(new ProducerRecord<>("t", 0, null, sent.get(i)));
            }
        }
        List<ConsumerRecord<String, String>> read =
                read(5_000, Map.of("max.partition.fetch.bytes", 10_000, "fetch.max.bytes", 10_000));
        assertThat(read).extracting(ConsumerRecord::value).isEqualTo(sent);
        assertThat(read.get(4_999).offset()).isEqualTo(4_999);
    }

    @Test
    void recordsFollowTheLeader() throws Exception {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (KafkaProducer<String, String> producer = producer(Map.of("linger.ms", 1))) {
            for (int i = 0; i < 2_000; i++) {
                sent.add(producer.send(new ProducerRecord<>("t", 0, null, Integer.toString(i))));
                if (i % 500 == 250) {
                    cluster.moveLeader(PARTITION, 1 - cluster.leader(PARTITION));
                }
            }
        }
        for (int i = 0; i < sent.size(); i++) {
            assertThat(sent.get(i).get().offset()).isEqualTo(i);
        }
        cluster.moveLeader(PARTITION, 1 - cluster.leader(PARTITION));
        List<ConsumerRecord<String, String>> read = read(2_000, Map.of());
        for (int i = 0; i < read.size(); i++) {
            assertThat(read.get(i).value()).isEqualTo(Integer.toString(i));
        }
    }

    @Test
    void offsetsByTimestampAndDeletedRecords() throws Exception {
        long now = System.currentTimeMillis();
        try (KafkaProducer<String, String> producer = producer(Map.of("acks", "1", "enable.idempotence", false))) {
            for (int i = 0; i < 10; i++) {
                producer.send(new ProducerRecord<>("t", 0, now + i, null, "v")).get();
            }
        }
        try (KafkaConsumer<String, String> consumer = consumer(Map.of())) {
            assertThat(consumer.offsetsForTimes(Map.of(PARTITION, now + 4)))
                    .hasEntrySatisfying(
                            PARTITION, found -> assertThat(found.offset()).isEqualTo(4));
            assertThat(consumer.offsetsForTimes(Map.of(PARTITION, now + 10)))
                    .hasEntrySatisfying(PARTITION, found -> assertThat(found).isNull());
            assertThat(consumer.endOffsets(List.of(PARTITION))).containsEntry(PARTITION, 10L);
            admin.deleteRecords(Map.of(PARTITION, RecordsToDelete.beforeOffset(7)))
                    .all()
                    .get();
            assertThat(consumer.beginningOffsets(List.of(PARTITION))).containsEntry(PARTITION, 7L);
        }
        assertThat(read(3, Map.of())).extracting(ConsumerRecord::offset).containsExactly(7L, 8L, 9L);
    }

    @Test
    void producersAreDescribed() throws Exception {
        try (KafkaProducer<String, String> producer = producer(Map.of("transactional.id", "x"))) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("t", 0, null, "v")).get();
            producer.send(new ProducerRecord<>("t", 0, null, "v")).get();
            var state = admin.describeProducers(List.of(PARTITION))
                    .partitionResult(PARTITION)
                    .get()
                    .activeProducers()
                    .get(0);
            assertThat(state.lastSequence()).isEqualTo(1);
            assertThat(state.currentTransactionStartOffset()).hasValue(0);
            producer.abortTransaction();
        }
    }

    @Test
    void timestampsOfTheBroker() throws Exception {
        create("stamped", Map.of("message.timestamp.type", "LogAppendTime"));
        try (KafkaProducer<String, String> producer = producer(Map.of())) {
            RecordMetadata metadata = producer.send(new ProducerRecord<>("stamped", 0, 5L, null, "v"))
                    .get();
            assertThat(metadata.timestamp()).isGreaterThan(5);
        }
        try (KafkaConsumer<String, String> consumer = consumer(Map.of())) {
            consumer.assign(List.of(new TopicPartition("stamped", 0)));
            ConsumerRecord<String, String> only = poll(consumer, 1).get(0);
            assertThat(only.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
            assertThat(only.timestamp()).isGreaterThan(5);
        }
    }

    private void create(String topic, Map<String, String> configs) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, 1, (short) 2).configs(configs)))
                .all()
                .get();
    }

    private List<ConsumerRecord<String, String>> read(int count, Map<String, Object> configs) {
        try (KafkaConsumer<String, String> consumer = consumer(configs)) {
            consumer.assign(List.of(PARTITION));
            return poll(consumer, count);
        }
    }

    private static List<ConsumerRecord<String, String>> poll(KafkaConsumer<String, String> consumer, int count) {
        List<ConsumerRecord<String, String>> read = new ArrayList<>();
        while (read.size() < count) {
            consumer.poll(Duration.ofSeconds(1)).forEach(read::add);
        }
        return read;
    }

    private KafkaProducer<String, String> producer(Map<String, Object> configs) {
        Map<String, Object> all = new HashMap<>(configs);
        all.put("bootstrap.servers", cluster.bootstrapServers());
        return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
    }

    private KafkaConsumer<String, String> consumer(Map<String, Object> configs) {
        Map<String, Object> all = new HashMap<>(configs);
        all.put("bootstrap.servers", cluster.bootstrapServers());
        all.put("auto.offset.reset", "earliest");
        return new KafkaConsumer<>(all, new StringDeserializer(), new StringDeserializer());
    }
}
