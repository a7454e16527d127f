package io.github.kafkatxn.bench;

import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.Outputs;
import io.github.kafkatxn.processor.ProcessorListener;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.result.TxnError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The same copy with {@link ExactlyOnceProcessor}, default settings. */
final class ProcessorLoop implements CopyLoop {
    private final Broker broker;

    ProcessorLoop(Broker broker) {
        this.broker = broker;
    }

    @Override
    public String name() {
        return "ExactlyOnceProcessor";
    }

    @Override
    public Measurement run(long records, int perTransaction) throws Exception {
        String output = broker.newTopic("output");
        Watch watch = new Watch(records);
        ProcessorSettings settings = ProcessorSettings.builder()
                .bootstrapServers(broker.bootstrapServers())
                .groupId(broker.newName("group"))
                .consumerProperty("group.protocol", "consumer")
                .inputTopics(Broker.INPUT)
                .maxRecordsPerTransaction(perTransaction)
                .transactionListener(watch)
                .listener(watch)
                .build();
        try (ExactlyOnceProcessor processor = ExactlyOnceProcessor.create(
                settings,
                ByteArrayDeserializer::new,
                ByteArrayDeserializer::new,
                ByteArraySerializer::new,
                ByteArraySerializer::new,
                (ConsumerRecord<byte[], byte[]> record, Outputs<byte[], byte[]> outputs) ->
                        outputs.send(output, record.key(), record.value()))) {
            processor.start();
            if (!watch.done.await(5, TimeUnit.MINUTES)) {
                throw new IllegalStateException("not finished in 5 minutes: " + processor.stopReason());
            }
        }
        return watch.measurement();
    }

    /** Stops the clock at the commit of the last record asked for. */
    private static final class Watch implements TransactionListener, ProcessorListener {
        private final CountDownLatch done = new CountDownLatch(1);
        private final List<Long> latencies = new ArrayList<>();
        private final long target;
        private long seen;
        private long start;
        private long end;

        Watch(long target) {
            this.target = target;
        }

        @Override
        public void onBegin(String transactionalId) {
            start = start == 0 ? System.nanoTime() : start;
        }

        @Override
        public void onEnd(String transactionalId, Outcome outcome, TransactionStats stats, Optional<TxnError> error) {
            if (outcome != Outcome.COMMITTED) {
                throw new IllegalStateException("a transaction was not committed: " + error);
            }
            if (end == 0) {
                latencies.add(stats.duration().toNanos());
            }
        }

        @Override
        public void onProcessed(int lane, int records) {
            seen += records;
            if (seen >= target && end == 0) {
                end = System.nanoTime();
                done.countDown();
            }
        }

        Measurement measurement() {
            return new Measurement(target, (end - start) / 1e9, latencies);
        }
    }
}
