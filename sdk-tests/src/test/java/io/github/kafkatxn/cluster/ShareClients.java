package io.github.kafkatxn.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;

/** Unmodified clients of share groups. */
final class ShareClients {
    private ShareClients() {}

    static KafkaShareConsumer<String, String> consumer(String bootstrap, String group, Map<String, Object> more) {
        Map<String, Object> properties = new HashMap<>(Map.of("bootstrap.servers", bootstrap, "group.id", group));
        properties.putAll(more);
        return new KafkaShareConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
    }

    static KafkaShareConsumer<String, String> explicit(String bootstrap, String group) {
        return consumer(bootstrap, group, Map.of("share.acknowledgement.mode", "explicit"));
    }

    /** Records with their numbers as values, each in a batch of its own. */
    static void produce(String bootstrap, String topic, int partition, int from, int to) {
        Map<String, Object> properties = Map.of("bootstrap.servers", bootstrap, "linger.ms", 0);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
            for (int i = from; i < to; i++) {
                producer.send(new ProducerRecord<>(topic, partition, null, "" + i))
                        .get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    /** So many records in as few batches as the producer makes of them. */
    static void produceMany(String bootstrap, String topic, int partition, int count) {
        Map<String, Object> properties = Map.of("bootstrap.servers", bootstrap, "linger.ms", 5);
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                sent.add(producer.send(new ProducerRecord<>(topic, partition, null, "" + i)));
            }
            for (Future<RecordMetadata> each : sent) {
                each.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    static void configure(Admin admin, String group, Map<String, String> configs) throws Exception {
        List<AlterConfigOp> operations = new ArrayList<>();
        configs.forEach((name, value) ->
                operations.add(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET)));
        admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.GROUP, group), operations))
                .all()
                .get();
    }

    /** Polls until there is something. */
    static List<ConsumerRecord<String, String>> poll(KafkaShareConsumer<String, String> consumer) {
        List<ConsumerRecord<String, String>> polled = new ArrayList<>();
        Awaitility.await().atMost(Duration.ofSeconds(30)).pollInSameThread().until(() -> {
            consumer.poll(Duration.ofMillis(100)).forEach(polled::add);
            return !polled.isEmpty();
        });
        return polled;
    }

    static List<String> values(List<ConsumerRecord<String, String>> records) {
        return records.stream().map(ConsumerRecord::value).toList();
    }
}
