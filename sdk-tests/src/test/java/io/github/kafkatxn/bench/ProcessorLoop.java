package io.github.kafkatxn.bench;

import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.Processor;
import io.github.kafkatxn.processor.ProcessorListener;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.RecordTransform;
import io.github.kafkatxn.processor.ShareProcessor;
import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.result.TxnError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The same copy with a processor, default settings. */
final class ProcessorLoop implements CopyLoop {
    private final Broker broker;
    private final boolean shareGroup;
    private final int lanes;

    private ProcessorLoop(Broker broker, boolean shareGroup, int lanes) {
        this.broker = broker;
        this.shareGroup = shareGroup;
        this.lanes = lanes;
    }

    static ProcessorLoop ofConsumerGroup(Broker broker) {
        return new ProcessorLoop(broker, false, 1);
    }

    static ProcessorLoop ofShareGroup(Broker broker, int lanes) {
        return new ProcessorLoop(broker, true, lanes);
    }

    @Override
    public String name() {
        String name = shareGroup ? "ShareProcessor" : "ExactlyOnceProcessor";
        return lanes == 1 ? name : name + ", " + lanes + " lanes";
    }

    @Override
    public Measurement run(long records, int perTransaction) throws Exception {
        String output = broker.newTopic("output");
        Watch watch = new Watch(records, lanes > 1);
        ProcessorSettings.Builder settings = ProcessorSettings.builder()
                .bootstrapServers(broker.bootstrapServers())
                .inputTopics(Broker.INPUT)
                .concurrency(lanes)
                .maxRecordsPerTransaction(perTransaction)
                .transactionListener(watch)
                .listener(watch);
        try (Processor processor =
                create(settings, (record, outputs) -> outputs.send(output, record.key(), record.value()))) {
            processor.start();
            if (!watch.done.await(5, TimeUnit.MINUTES)) {
                throw new IllegalStateException("not finished in 5 minutes: " + processor.stopReason());
            }
        } finally {
            broker.deleteTopic(output);
        }
        return watch.measurement();
    }

    private Processor create(
            ProcessorSettings.Builder settings, RecordTransform<byte[], byte[], byte[], byte[]> transform)
            throws Exception {
        if (shareGroup) {
            return ShareProcessor.create(
                    settings.shareGroupId(broker.newShareGroup()).build(),
                    ByteArrayDeserializer::new,
                    ByteArrayDeserializer::new,
                    ByteArraySerializer::new,
                    ByteArraySerializer::new,
                    transform);
        }
        return ExactlyOnceProcessor.create(
                settings.groupId(broker.newName("group"))
                        .consumerProperty("group.protocol", "consumer")
                        .build(),
                ByteArrayDeserializer::new,
                ByteArrayDeserializer::new,
                ByteArraySerializer::new,
                ByteArraySerializer::new,
                transform);
    }

    /** Stops the clock at the commit of the last record asked for. */
    private static final class Watch implements TransactionListener, ProcessorListener {
        private final CountDownLatch done = new CountDownLatch(1);
        private final List<Long> latencies = new ArrayList<>();
        private final long target;
        private final boolean mayAbort;
        private long seen;
        private long start;
        private long end;
        private Optional<String> failure = Optional.empty();

        /** Lanes that join a group move the epochs of those that are there, which then begin again. */
        Watch(long target, boolean mayAbort) {
            this.target = target;
            this.mayAbort = mayAbort;
        }

        @Override
        public synchronized void onBegin(String transactionalId) {
            start = start == 0 ? System.nanoTime() : start;
        }

        @Override
        public synchronized void onEnd(
                String transactionalId, Outcome outcome, TransactionStats stats, Optional<TxnError> error) {
            if (end != 0) {
                return; // what is in progress when the last record is committed may be aborted by the stop
            }
            if (outcome == Outcome.COMMITTED) {
                latencies.add(stats.duration().toNanos());
            } else if (!mayAbort) {
                // To throw would be of no use: what a listener throws is logged.
                failure = Optional.of("a transaction of " + transactionalId + " was not committed, " + outcome + ": "
                        + error.map(TxnError::message).orElse("no error"));
                done.countDown();
            }
        }

        @Override
        public synchronized void onProcessed(int lane, int records) {
            seen += records;
            if (seen >= target && end == 0) {
                end = System.nanoTime();
                done.countDown();
            }
        }

        synchronized Measurement measurement() {
            failure.ifPresent(what -> {
                throw new IllegalStateException(what);
            });
            return new Measurement(target, (end - start) / 1e9, latencies);
        }
    }
}
