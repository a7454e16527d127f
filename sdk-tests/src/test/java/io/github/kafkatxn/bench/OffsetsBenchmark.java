package io.github.kafkatxn.bench;

import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The offsets call by requests of this library's own against that of the client, transaction by transaction in turn.
 * Ours flushes, so a flush goes before the client's; there is nothing left to be flushed.
 */
final class OffsetsBenchmark {
    private static final int WARM_UP = 3_000;
    private static final int PER_ROUND = 1_000;
    private static final byte[] VALUE = new byte[100];

    private final int rounds;

    OffsetsBenchmark(int rounds) {
        this.rounds = rounds;
    }

    @SuppressWarnings("removal") // The only way to say so without a consumer.
    void run() throws Exception {
        try (Broker broker = Broker.ofApacheKafka()) {
            broker.load(PER_ROUND);
            String output = broker.newTopic("output");
            ProducerSettings settings = ProducerSettings.builder()
                    .bootstrapServers(broker.bootstrapServers())
                    .transactionalId(broker.newName("own"))
                    .property("linger.ms", 0)
                    .build();
            ProducerSettings ofClient = settings.toBuilder()
                    .transactionalId(broker.newName("client"))
                    .build();
            var ownGroup = new ConsumerGroupMetadata(broker.newName("group"));
            var clientGroup = new ConsumerGroupMetadata(broker.newName("group"));
            try (var client = new KafkaProducer<>(
                            ofClient.properties(), new ByteArraySerializer(), new ByteArraySerializer());
                    TransactionalProducer<byte[], byte[]> own = TransactionalProducer.create(
                            settings, ByteArraySerializer::new, ByteArraySerializer::new)) {
                client.initTransactions();
                own.init().orElseThrow();
                var record = new ProducerRecord<byte[], byte[]>(output, 0, null, VALUE);
                List<Long> ofOwn = new ArrayList<>();
                List<Long> byClient = new ArrayList<>();
                for (int i = -WARM_UP; i < rounds * PER_ROUND; i++) {
                    long ownNanos = own(own, record, offsets(i + WARM_UP), ownGroup);
                    long clientNanos = client(client, record, offsets(i + WARM_UP), clientGroup);
                    if (i >= 0) {
                        ofOwn.add(ownNanos);
                        byClient.add(clientNanos);
                    }
                }
                print(new Measurement(0, 0, ofOwn), new Measurement(0, 0, byClient));
            }
        }
    }

    private static Map<TopicPartition, OffsetAndMetadata> offsets(int number) {
        return Map.of(new TopicPartition(Broker.INPUT, 0), new OffsetAndMetadata(number));
    }

    private static long own(
            TransactionalProducer<byte[], byte[]> producer,
            ProducerRecord<byte[], byte[]> record,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group)
            throws Exception {
        Transaction<byte[], byte[]> transaction = producer.beginTransaction().orElseThrow();
        transaction.send(record).get();
        long start = System.nanoTime();
        transaction.sendOffsetsToTransaction(offsets, group).orElseThrow();
        long took = System.nanoTime() - start;
        transaction.commit().orElseThrow();
        return took;
    }

    private static long client(
            KafkaProducer<byte[], byte[]> producer,
            ProducerRecord<byte[], byte[]> record,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group)
            throws Exception {
        producer.beginTransaction();
        producer.send(record).get();
        long start = System.nanoTime();
        producer.flush();
        producer.sendOffsetsToTransaction(offsets, group);
        long took = System.nanoTime() - start;
        producer.commitTransaction();
        return took;
    }

    private static void print(Measurement own, Measurement client) {
        System.out.printf("%n%-12s %8s %8s %8s   (ms)%n", "offsets", "p50", "p90", "p99");
        row("own", own);
        row("client", client);
        System.out.printf(
                "ratio offsets p50 %.2f p90 %.2f p99 %.2f%n",
                own.percentileMillis(50) / client.percentileMillis(50),
                own.percentileMillis(90) / client.percentileMillis(90),
                own.percentileMillis(99) / client.percentileMillis(99));
    }

    private static void row(String name, Measurement measured) {
        System.out.printf(
                "%-12s %8.3f %8.3f %8.3f%n",
                name, measured.percentileMillis(50), measured.percentileMillis(90), measured.percentileMillis(99));
    }
}
