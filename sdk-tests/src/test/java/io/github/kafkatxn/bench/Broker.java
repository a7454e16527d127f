package io.github.kafkatxn.bench;

import io.github.kafkatxn.apache.ApacheKafka;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The broker of a benchmark, its input, and names nobody else uses. */
final class Broker implements AutoCloseable {
    static final String INPUT = "input";
    private static final int PARTITIONS = 4;
    private static final int KEYS = 997;

    private final ApacheKafka kafka = ApacheKafka.builder().heapMiB(1024).start();
    private final AtomicInteger names = new AtomicInteger();

    String bootstrapServers() {
        return kafka.bootstrapServers();
    }

    String newName(String prefix) {
        return prefix + "-" + names.incrementAndGet();
    }

    String newTopic(String prefix) throws Exception {
        String topic = newName(prefix);
        create(topic);
        return topic;
    }

    /** Records of about 100 bytes, with keys that spread them over all partitions of input and output. */
    void load(int records) throws Exception {
        create(INPUT);
        Map<String, Object> properties =
                new HashMap<>(Map.of("bootstrap.servers", kafka.bootstrapServers(), "linger.ms", 20));
        byte[] value = "x".repeat(100).getBytes(StandardCharsets.UTF_8);
        try (var producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < records; i++) {
                byte[] key = ("key-" + i % KEYS).getBytes(StandardCharsets.UTF_8);
                sent.add(producer.send(new ProducerRecord<>(INPUT, key, value)));
            }
            for (Future<RecordMetadata> record : sent) {
                record.get();
            }
        }
    }

    @Override
    public void close() {
        kafka.close();
    }

    private void create(String topic) throws Exception {
        try (Admin admin = Admin.create(kafka.adminConfig())) {
            admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1)))
                    .all()
                    .get();
        }
    }
}
