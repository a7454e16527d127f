package io.github.kafkatxn.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The loop as one would write it with the clients alone, without any recovery. */
final class HandWrittenLoop implements CopyLoop {
    private final Broker broker;
    private final String name;
    private final int producers;
    private final boolean flushFirst;
    private final Map<String, Object> producerProperties;

    private HandWrittenLoop(
            Broker broker, String name, int producers, boolean flushFirst, Map<String, Object> producerProperties) {
        this.broker = broker;
        this.name = name;
        this.producers = producers;
        this.flushFirst = flushFirst;
        this.producerProperties = producerProperties;
    }

    /** As in every introduction: begin, send, sendOffsets, commit, default configuration. */
    static CopyLoop textbook(Broker broker) {
        return new HandWrittenLoop(broker, "textbook", 1, false, Map.of());
    }

    /** With everything that is known to help: flush first, large batches, short back-off, two producers in turn. */
    static CopyLoop best(Broker broker) {
        return new HandWrittenLoop(
                broker,
                "hand-written best",
                2,
                true,
                Map.of("batch.size", 262_144, "linger.ms", 100, "retry.backoff.ms", 2));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Measurement run(long records, int perTransaction) throws Exception {
        String output = broker.newTopic("output");
        List<KafkaProducer<byte[], byte[]>> turn = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = consumer(perTransaction)) {
            for (int i = 0; i < producers; i++) {
                turn.add(producer());
            }
            consumer.subscribe(List.of(Broker.INPUT));
            return copy(consumer, turn, output, records);
        } finally {
            turn.forEach(KafkaProducer::close);
            broker.deleteTopic(output);
        }
    }

    private Measurement copy(
            KafkaConsumer<byte[], byte[]> consumer,
            List<KafkaProducer<byte[], byte[]>> turn,
            String output,
            long records) {
        List<Long> latencies = new ArrayList<>();
        long seen = 0;
        long start = 0;
        while (seen < records) {
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(500));
            if (polled.isEmpty()) {
                continue;
            }
            long begin = System.nanoTime();
            start = start == 0 ? begin : start;
            transaction(turn.get(latencies.size() % producers), consumer, polled, output);
            latencies.add(System.nanoTime() - begin);
            seen += polled.count();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return new Measurement(seen, seconds, latencies);
    }

    // Whether a record was delivered comes with commit: that is what this loop relies on.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void transaction(
            KafkaProducer<byte[], byte[]> producer,
            KafkaConsumer<byte[], byte[]> consumer,
            ConsumerRecords<byte[], byte[]> polled,
            String output) {
        producer.beginTransaction();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : polled) {
            producer.send(new ProducerRecord<>(output, record.key(), record.value()));
            offsets.put(
                    new TopicPartition(record.topic(), record.partition()), new OffsetAndMetadata(record.offset() + 1));
        }
        if (flushFirst) {
            producer.flush();
        }
        producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
        producer.commitTransaction();
    }

    private KafkaProducer<byte[], byte[]> producer() {
        Map<String, Object> properties = new HashMap<>(producerProperties);
        properties.put("bootstrap.servers", broker.bootstrapServers());
        properties.put("transactional.id", broker.newName("id"));
        var producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        producer.initTransactions();
        return producer;
    }

    private KafkaConsumer<byte[], byte[]> consumer(int perTransaction) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.bootstrapServers(),
                        "group.id",
                        broker.newName("group"),
                        "group.protocol",
                        "consumer",
                        "enable.auto.commit",
                        false,
                        "auto.offset.reset",
                        "earliest",
                        "isolation.level",
                        "read_committed",
                        "max.poll.records",
                        perTransaction),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }
}
