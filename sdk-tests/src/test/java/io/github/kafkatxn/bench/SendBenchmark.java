package io.github.kafkatxn.bench;

import com.sun.management.ThreadMXBean;
import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * {@code send} through the SDK against {@code KafkaProducer.send}. The network is out of the picture: all records of a
 * transaction fit a batch that is never sent, and the transaction is aborted.
 */
final class SendBenchmark {
    private static final int RECORDS = 100_000;
    private static final int WARM_UP = 20;
    private static final byte[] VALUE = new byte[100];

    private final int rounds;
    private final List<Double> plainNanos = new ArrayList<>();
    private final List<Double> sdkNanos = new ArrayList<>();
    private final List<Double> plainBytes = new ArrayList<>();
    private final List<Double> sdkBytes = new ArrayList<>();

    SendBenchmark(int rounds) {
        this.rounds = rounds;
    }

    void run() throws Exception {
        try (Broker broker = Broker.ofApacheKafka()) {
            String topic = broker.newTopic("send");
            ProducerSettings settings = ProducerSettings.builder()
                    .bootstrapServers(broker.bootstrapServers())
                    .transactionalId(broker.newName("sdk"))
                    .property("batch.size", 64 * 1024 * 1024)
                    .property("buffer.memory", 256L * 1024 * 1024)
                    .property("linger.ms", 10_000)
                    .build();
            ProducerSettings plainSettings = settings.toBuilder()
                    .transactionalId(broker.newName("plain"))
                    .build();
            try (var plain = new KafkaProducer<>(
                            plainSettings.properties(), new ByteArraySerializer(), new ByteArraySerializer());
                    TransactionalProducer<byte[], byte[]> sdk = TransactionalProducer.create(
                            settings, ByteArraySerializer::new, ByteArraySerializer::new)) {
                plain.initTransactions();
                sdk.init().orElseThrow();
                for (int round = -WARM_UP; round < rounds; round++) {
                    plain(plain, topic, round >= 0);
                    sdk(sdk, topic, round >= 0);
                }
            }
        }
        System.out.printf("%n%-24s %10s %14s   (medians)%n", "send", "ns/record", "bytes/record");
        System.out.printf("%-24s %10.0f %14.0f%n", "KafkaProducer", median(plainNanos), median(plainBytes));
        System.out.printf("%-24s %10.0f %14.0f%n", "Transaction", median(sdkNanos), median(sdkBytes));
        System.out.printf(
                "ratio send time %.3f extra bytes %.0f%n",
                median(sdkNanos) / median(plainNanos), median(sdkBytes) - median(plainBytes));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Nothing is delivered: the transaction is aborted.
    private void plain(KafkaProducer<byte[], byte[]> producer, String topic, boolean counts) {
        producer.beginTransaction();
        long bytes = allocated();
        long start = System.nanoTime();
        for (int i = 0; i < RECORDS; i++) {
            producer.send(new ProducerRecord<>(topic, 0, null, VALUE));
        }
        note(counts, start, bytes, plainNanos, plainBytes);
        producer.abortTransaction();
    }

    @SuppressWarnings("FutureReturnValueIgnored")
    private void sdk(TransactionalProducer<byte[], byte[]> producer, String topic, boolean counts) {
        Transaction<byte[], byte[]> transaction = producer.beginTransaction().orElseThrow();
        long bytes = allocated();
        long start = System.nanoTime();
        for (int i = 0; i < RECORDS; i++) {
            transaction.send(new ProducerRecord<>(topic, 0, null, VALUE));
        }
        note(counts, start, bytes, sdkNanos, sdkBytes);
        transaction.abort().orElseThrow();
    }

    private static void note(boolean counts, long start, long bytes, List<Double> nanos, List<Double> allocations) {
        long took = System.nanoTime() - start;
        long allocated = allocated() - bytes;
        if (counts) {
            nanos.add((double) took / RECORDS);
            allocations.add((double) allocated / RECORDS);
        }
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }
}
