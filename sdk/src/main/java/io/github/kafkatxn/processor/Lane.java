package io.github.kafkatxn.processor;

import io.github.kafkatxn.processor.Outcome.Committed;
import io.github.kafkatxn.processor.Outcome.Failed;
import io.github.kafkatxn.processor.Outcome.Interrupted;
import io.github.kafkatxn.processor.StopReason.Kind;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread of a processor: polls, runs batches, recovers. Owns its consumer and its producers. */
final class Lane<KI, VI, KO, VO> {
    private static final Logger LOG = LoggerFactory.getLogger(ExactlyOnceProcessor.class);

    private final LaneContext context;
    private final ProcessorSettings settings;
    private final StopSignal stop;
    private final InputConsumer input;
    private final ProducerRing<KO, VO> producers;
    private final RecordReader<KI, VI> reader;
    private final RecordTransform<KI, VI, KO, VO> transform;
    private final InputTopics topics;
    private final Isolation isolation;
    private final Patience patience;

    /** Positions that moved past markers and aborted records: committed with the next batch, or when there is none. */
    private final Map<TopicPartition, OffsetAndMetadata> passed = new HashMap<>();

    Lane(
            LaneContext context,
            InputTopics topics,
            ProducerRing<KO, VO> producers,
            RecordReader<KI, VI> reader,
            RecordTransform<KI, VI, KO, VO> transform) {
        this.context = context;
        this.settings = context.settings();
        this.stop = context.stop();
        this.topics = topics;
        this.producers = producers;
        this.reader = reader;
        this.transform = transform;
        this.isolation = new Isolation(settings.maxAttempts());
        this.patience = new Patience(context);
        this.input = new InputConsumer(
                context.name(), settings.consumerProperties(context.index()), settings.inputTopics(), this::gone);
    }

    /** Ends a wait for records, from another thread. */
    void wakeup() {
        input.wakeup();
    }

    /** {@return why it has stopped; everything it owns is closed then} */
    StopReason run() {
        try {
            StopReason reason = initialise();
            return reason == null ? loop() : reason;
        } catch (RuntimeException | Error e) {
            LOG.error("{}: unexpected, stopping", context.name(), e);
            return StopReason.of(Kind.UNEXPECTED, ErrorClassifier.classify(Operation.POLL, e, Condition.USABLE));
        } finally {
            close();
        }
    }

    /** Both transactional ids are taken over before the first poll: what they had left open is decided by then. */
    private @Nullable StopReason initialise() {
        while (!stop.isRequested()) {
            TxnError error = producers.init();
            if (error == null) {
                return null;
            }
            LOG.warn("{}: {}", context.name(), error.message());
            if (error.action() == Action.STOP) {
                return StopReasons.of(error);
            }
            StopReason gaveUp = patience.waitAfter(error);
            if (gaveUp != null) {
                return gaveUp;
            }
        }
        return requested();
    }

    private StopReason loop() {
        BatchRunner<KI, VI, KO, VO> runner = new BatchRunner<>(settings, input, isolation, reader, transform, stop);
        Recovery<KO, VO> recovery = new Recovery<>(context, topics, input, producers, isolation, patience);
        while (!stop.isRequested()) {
            try {
                Batch batch = nextBatch();
                StopReason reason = batch == null ? null : handle(batch, runner, recovery);
                if (reason != null) {
                    return reason;
                }
            } catch (WakeupException e) {
                LOG.debug("{}: woken up", context.name());
            } catch (InterruptException e) {
                stop.request();
            } catch (KafkaException e) {
                StopReason reason = pollFailed(e);
                if (reason != null) {
                    return reason;
                }
            }
        }
        return requested();
    }

    private @Nullable Batch nextBatch() {
        ConsumerRecords<byte[], byte[]> polled = input.poll(settings.pollTimeout());
        if (!polled.isEmpty()) {
            return isolation.next(polled);
        }
        if (!polled.nextOffsets().isEmpty()) {
            passed.putAll(polled.nextOffsets());
            return null;
        }
        input.retainAssigned(passed);
        return passed.isEmpty() ? null : Batch.ofOffsets(passed);
    }

    private @Nullable StopReason handle(Batch batch, BatchRunner<KI, VI, KO, VO> runner, Recovery<KO, VO> recovery) {
        if (batch.deadLetter() != null && settings.deadLetterTopic().isEmpty()) {
            return StopReason.of(Kind.POISON_RECORD, batch.deadLetter());
        }
        Outcome outcome = runner.run(batch, producers.current());
        if (outcome instanceof Committed committed) {
            committed(committed.batch());
            return null;
        }
        if (outcome instanceof Interrupted interrupted) {
            interrupted.transaction().abort().error().ifPresent(e -> LOG.warn("{}: {}", context.name(), e.message()));
            return requested();
        }
        return recovery.recover((Failed) outcome);
    }

    private void committed(Batch batch) {
        producers.next();
        patience.committed();
        isolation.committed(batch);
        passed.keySet().removeAll(batch.next().keySet());
        context.listeners().committed(batch);
        if (!batch.resume().isEmpty()) {
            input.moveTo(batch.resume());
        }
    }

    private @Nullable StopReason pollFailed(KafkaException e) {
        TxnError error = ErrorClassifier.classify(Operation.POLL, e, Condition.USABLE);
        LOG.warn("{}: {}", context.name(), error.message());
        return error.action() == Action.STOP ? StopReasons.of(error) : patience.waitAfter(error);
    }

    private void gone(Collection<TopicPartition> partitions) {
        isolation.forget(partitions);
        passed.keySet().removeAll(partitions);
    }

    private static StopReason requested() {
        return StopReason.requested("The processor was asked to stop.");
    }

    /** Producers first, which ends an open transaction; then the consumer, which gives its partitions to others. */
    private void close() {
        Duration each = settings.shutdownTimeout().dividedBy(4);
        producers.close(each.multipliedBy(2));
        try {
            input.close(each);
        } catch (KafkaException e) {
            LOG.warn("{}: consumer did not close cleanly", context.name(), e);
        }
        try {
            reader.close();
        } catch (RuntimeException e) {
            LOG.warn("{}: a deserializer did not close cleanly", context.name(), e);
        }
    }
}
