package io.github.kafkatxn.chaos;

import io.github.kafkatxn.apache.ApacheKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;

/** Topics of a cluster of several brokers, filled and counted with plain clients. */
final class Topics implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Map<String, Object> config;
    private final Admin admin;
    private final AtomicInteger names = new AtomicInteger();

    Topics(ApacheKafka kafka) {
        this.config = kafka.adminConfig();
        this.admin = Admin.create(config);
    }

    String newName(String prefix) {
        return prefix + "-" + names.incrementAndGet();
    }

    /** Makes a topic of three partitions, replicated as the cluster does by default. */
    String create(String prefix) {
        String topic = newName(prefix);
        get(admin.createTopics(List.of(new NewTopic(topic, Optional.of(3), Optional.empty())))
                .all()
                .toCompletionStage()
                .toCompletableFuture());
        return topic;
    }

    /** Waits until every replica of a topic has all of it. */
    void awaitAllInSync(String topic) {
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> get(admin.describeTopics(List.of(topic))
                                .allTopicNames()
                                .toCompletionStage()
                                .toCompletableFuture())
                        .values()
                        .stream()
                        .flatMap(described -> described.partitions().stream())
                        .allMatch(partition ->
                                partition.isr().size() == partition.replicas().size()));
    }

    void load(String topic, List<String> values) {
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (String value : values) {
                sent.add(producer.send(new ProducerRecord<>(topic, value, value)));
            }
            sent.forEach(Topics::get);
        }
    }

    /** {@return what a read_committed reader sees up to the end of the log, once no transaction is open before it} */
    List<String> committedValues(String topic) {
        Map<String, Object> anyReader = new HashMap<>(config);
        // A broker that stands still takes requests and does not answer them: the next one is asked soon.
        anyReader.put("request.timeout.ms", 2_000);
        Map<String, Object> reader = new HashMap<>(anyReader);
        reader.put("isolation.level", "read_committed");
        List<String> values = new ArrayList<>();
        try (var consumer = new KafkaConsumer<>(reader, new StringDeserializer(), new StringDeserializer());
                var uncommitted = new KafkaConsumer<>(anyReader, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = new ArrayList<>();
            for (PartitionInfo info : consumer.partitionsFor(topic, LIMIT)) {
                partitions.add(new TopicPartition(topic, info.partition()));
            }
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = uncommitted.endOffsets(partitions, LIMIT);
            long deadline = System.nanoTime() + LIMIT.toNanos();
            while (partitions.stream().anyMatch(p -> consumer.position(p, LIMIT) < ends.getOrDefault(p, 0L))) {
                if (System.nanoTime() - deadline > 0) {
                    throw new AssertionError("a transaction is still open on " + topic + ": read up to "
                            + partitions.stream().map(consumer::position).toList() + " of " + ends);
                }
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                    values.add(record.value());
                }
            }
        }
        return values;
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(10));
    }

    private static <T> T get(Future<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
