package io.github.kafkatxn.bench;

import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A million records of 100 bytes in ten thousand transactions, written to the reference cluster and read again, all in
 * the heap of this JVM: {@code -Dbench.heap=512m}.
 */
final class CapacityBenchmark {
    private static final int TRANSACTIONS = 10_000;
    private static final int PER_TRANSACTION = 100;
    private static final int RECORDS = TRANSACTIONS * PER_TRANSACTION;

    private CapacityBenchmark() {}

    static void run() throws Exception {
        try (Broker broker = Broker.ofReferenceCluster()) {
            String topic = broker.newTopic("large");
            long began = System.nanoTime();
            write(broker, topic);
            System.out.printf(
                    "%d records in %d transactions written in %.1f s%n", RECORDS, TRANSACTIONS, secondsSince(began));
            began = System.nanoTime();
            int read = read(broker, topic);
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            System.out.printf(
                    "%d read in %.1f s; heap in use %d MiB of %d%n",
                    read,
                    secondsSince(began),
                    (runtime.totalMemory() - runtime.freeMemory()) >> 20,
                    runtime.maxMemory() >> 20);
            if (read != RECORDS) {
                throw new IllegalStateException(read + " records read, " + RECORDS + " written");
            }
        }
    }

    private static void write(Broker broker, String topic) throws Exception {
        ProducerSettings settings = ProducerSettings.builder()
                .bootstrapServers(broker.bootstrapServers())
                .transactionalId("capacity")
                .build();
        byte[] value = "x".repeat(100).getBytes(StandardCharsets.UTF_8);
        try (TransactionalProducer<byte[], byte[]> producer =
                TransactionalProducer.create(settings, ByteArraySerializer::new, ByteArraySerializer::new)) {
            producer.init().orElseThrow();
            for (int i = 0; i < TRANSACTIONS; i++) {
                Transaction<byte[], byte[]> transaction =
                        producer.beginTransaction().orElseThrow();
                Future<RecordMetadata> last = transaction.send(new ProducerRecord<>(topic, value));
                for (int j = 1; j < PER_TRANSACTION; j++) {
                    last = transaction.send(new ProducerRecord<>(topic, value));
                }
                transaction.commit().orElseThrow();
                last.get();
            }
        }
    }

    private static int read(Broker broker, String topic) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                broker.bootstrapServers(),
                "group.id",
                UUID.randomUUID().toString(),
                "auto.offset.reset",
                "earliest",
                "isolation.level",
                "read_committed");
        int read = 0;
        try (var consumer = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic));
            while (read < RECORDS) {
                read += consumer.poll(Duration.ofSeconds(10)).count();
            }
        }
        return read;
    }

    private static double secondsSince(long nanoTime) {
        return (System.nanoTime() - nanoTime) / 1e9;
    }
}
