package io.github.kafkatxn.cluster;

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

/**
 * What an application does with unmodified clients: topics, records, and copies of them in transactions, every third of
 * which is aborted first.
 *
 * <p>Public, and with types of the JDK only in its one method: it is loaded with clients of other versions too.
 */
public final class OrdinaryWork {
    private static final String IN = "in";
    private static final String OUT = "out";
    private static final String GROUP = "copies";

    private final String servers;

    private OrdinaryWork(String servers) {
        this.servers = servers;
    }

    /**
     * Does all of it.
     *
     * @param servers of the cluster, which has no topic of these names
     * @param protocol of the group
     * @param count of records
     * @return the values of the committed copies, and what is left to be copied
     */
    public static Map<String, Object> run(String servers, String protocol, int count) throws Exception {
        OrdinaryWork work = new OrdinaryWork(servers);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.createTopics(List.of(new NewTopic(IN, 3, (short) 1), new NewTopic(OUT, 3, (short) 1)))
                    .all()
                    .get();
            work.feed(count);
            work.copy(protocol, count);
            long committed =
                    admin.listConsumerGroupOffsets(GROUP).partitionsToOffsetAndMetadata().get().values().stream()
                            .mapToLong(OffsetAndMetadata::offset)
                            .sum();
            return Map.of("copies", work.read(count), "left", count - committed);
        }
    }

    private void feed(int count) {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers), new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < count; i++) {
                var unused = producer.send(new ProducerRecord<>(IN, "key-" + i, "value-" + i));
            }
        }
    }

    private void copy(String protocol, int count) {
        Map<String, Object> producing = Map.of("bootstrap.servers", servers, "transactional.id", "copy");
        try (KafkaConsumer<String, String> consumer = consumer(protocol);
                KafkaProducer<String, String> producer =
                        new KafkaProducer<>(producing, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            consumer.subscribe(List.of(IN));
            int batch = 0;
            for (int copied = 0; copied < count; ) {
                List<ConsumerRecord<String, String>> records = new ArrayList<>();
                consumer.poll(Duration.ofSeconds(1)).forEach(records::add);
                if (records.isEmpty()) {
                    continue;
                }
                if (batch++ % 3 == 0) {
                    send(records, producer, consumer);
                    producer.abortTransaction();
                }
                send(records, producer, consumer);
                producer.commitTransaction();
                copied += records.size();
            }
        }
    }

    private static void send(
            List<ConsumerRecord<String, String>> records,
            KafkaProducer<String, String> producer,
            KafkaConsumer<String, String> consumer) {
        producer.beginTransaction();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (ConsumerRecord<String, String> record : records) {
            var unused = producer.send(new ProducerRecord<>(OUT, record.key(), record.value()));
            offsets.put(
                    new TopicPartition(record.topic(), record.partition()), new OffsetAndMetadata(record.offset() + 1));
        }
        producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
    }

    private List<String> read(int count) {
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer = consumer("classic")) {
            List<TopicPartition> partitions = consumer.partitionsFor(OUT).stream()
                    .map(info -> new TopicPartition(OUT, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            while (values.size() < count) {
                consumer.poll(Duration.ofSeconds(1)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }

    private KafkaConsumer<String, String> consumer(String protocol) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        servers,
                        "group.id",
                        GROUP,
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
