package io.github.kafkatxn.bench;

import io.github.kafkatxn.apache.ApacheKafka;
import io.github.kafkatxn.cluster.ClusterSettings;
import io.github.kafkatxn.cluster.ReferenceCluster;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The broker of a benchmark, its input, and names nobody else uses. */
final class Broker implements AutoCloseable {
    static final String INPUT = "input";
    private static final int PARTITIONS = 4;
    private static final int KEYS = 997;

    private final String bootstrapServers;
    private final Runnable stop;
    private final AtomicInteger names = new AtomicInteger();

    private Broker(String bootstrapServers, Runnable stop) {
        this.bootstrapServers = bootstrapServers;
        this.stop = stop;
    }

    static Broker ofApacheKafka() {
        ApacheKafka kafka = ApacheKafka.builder().heapMiB(1024).start();
        return new Broker(kafka.bootstrapServers(), kafka::close);
    }

    /** One that takes share acknowledgements into transactions. */
    static Broker ofReferenceCluster() {
        ReferenceCluster cluster = ReferenceCluster.start(
                ClusterSettings.builder().nodes(1).shareVersion(3).build());
        return new Broker(cluster.bootstrapServers(), cluster::close);
    }

    String bootstrapServers() {
        return bootstrapServers;
    }

    /** A share group that begins with the first record, as a consumer group of a processor does. */
    String newShareGroup() throws Exception {
        String group = newName("share-group");
        ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
        List<AlterConfigOp> operations = List.of(
                new AlterConfigOp(new ConfigEntry("share.auto.offset.reset", "earliest"), AlterConfigOp.OpType.SET),
                new AlterConfigOp(
                        new ConfigEntry("share.isolation.level", "read_committed"), AlterConfigOp.OpType.SET));
        try (Admin admin = admin()) {
            admin.incrementalAlterConfigs(Map.of(resource, operations)).all().get();
        }
        return group;
    }

    String newName(String prefix) {
        return prefix + "-" + names.incrementAndGet();
    }

    String newTopic(String prefix) throws Exception {
        String topic = newName(prefix);
        create(topic);
        return topic;
    }

    void deleteTopic(String topic) throws Exception {
        try (Admin admin = admin()) {
            admin.deleteTopics(List.of(topic)).all().get();
        }
    }

    /** Records of about 100 bytes, with keys that spread them over all partitions of input and output. */
    void load(int records) throws Exception {
        load(records, Integer.MAX_VALUE);
    }

    /**
     * The same in batches of a size: a share group is given whole batches, so that its transactions have as many
     * records as those of a consumer group.
     */
    void load(int records, int perBatch) throws Exception {
        create(INPUT);
        Map<String, Object> properties = new HashMap<>(Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 20));
        if (perBatch < records) {
            properties.put("linger.ms", 5_000);
            properties.put("batch.size", 1 << 20);
        }
        byte[] value = "x".repeat(100).getBytes(StandardCharsets.UTF_8);
        try (var producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < records; i++) {
                byte[] key = ("key-" + i % KEYS).getBytes(StandardCharsets.UTF_8);
                Integer partition = perBatch < records ? i / perBatch % PARTITIONS : null;
                sent.add(producer.send(new ProducerRecord<>(INPUT, partition, key, value)));
                if (i % perBatch == perBatch - 1) {
                    producer.flush();
                }
            }
            for (Future<RecordMetadata> record : sent) {
                record.get();
            }
        }
    }

    @Override
    public void close() {
        stop.run();
    }

    private void create(String topic) throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1)))
                    .all()
                    .get();
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }
}
