package io.github.kafkatxn.processor;

import io.github.kafkatxn.processor.Outcome.Committed;
import io.github.kafkatxn.processor.Outcome.Failed;
import io.github.kafkatxn.processor.Outcome.Interrupted;
import io.github.kafkatxn.processor.StopReason.Kind;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread of a processor: polls, runs batches, recovers. Owns its consumer and its producers. */
final class Lane<KI, VI, KO, VO> {
    private static final Logger LOG = LoggerFactory.getLogger(Processor.class);

    private final LaneContext context;
    private final StopSignal stop;
    private final ProducerRing<KO, VO> producers;
    private final RecordReader<KI, VI> reader;
    private final RecordTransform<KI, VI, KO, VO> transform;
    private final Patience patience;
    private final LaneInput input;

    /** What fails if something unexpected is thrown. */
    private Operation step = Operation.INIT;

    Lane(
            LaneContext context,
            Patience patience,
            LaneInput input,
            ProducerRing<KO, VO> producers,
            RecordReader<KI, VI> reader,
            RecordTransform<KI, VI, KO, VO> transform) {
        this.context = context;
        this.stop = context.stop();
        this.patience = patience;
        this.input = input;
        this.producers = producers;
        this.reader = reader;
        this.transform = transform;
    }

    /** Ends a wait for records, from another thread. */
    void wakeup() {
        input.wakeup();
    }

    /**
     * Gives up a wait for brokers that do not answer, from another thread, once it is to stop.
     *
     * @return whether there was one; the lane's thread has still to be interrupted
     */
    boolean stopConnecting() {
        return producers.stopConnecting();
    }

    /** Ends calls of the producers that still wait, from another thread: their transactions are decided without it. */
    void giveUp(Duration timeout) {
        producers.close(timeout);
    }

    /** {@return why it has ended; what it owns is still to be closed} */
    StopReason run() {
        try {
            StopReason reason = initialise();
            return reason == null ? loop() : reason;
        } catch (RuntimeException | Error e) {
            LOG.error("{}: unexpected, stopping", context.name(), e);
            return StopReason.of(Kind.UNEXPECTED, ErrorClassifier.classify(step, e, Condition.USABLE));
        }
    }

    /**
     * Both transactional ids are taken over before the first poll: what they had left open is decided by then. Brokers
     * that are away are waited for.
     */
    private @Nullable StopReason initialise() {
        while (!stop.isRequested()) {
            TxnError error = producers.init();
            if (error == null) {
                error = input.check();
            }
            if (error == null) {
                context.listeners().started(input.guarantee());
                return null;
            }
            if (stop.isRequested()) {
                break;
            }
            LOG.warn("{}: {}", context.name(), error.message());
            StopReason reason = patience.stopOrWait(error);
            if (reason != null) {
                return reason;
            }
        }
        return requested();
    }

    private StopReason loop() {
        BatchRunner<KI, VI, KO, VO> runner = new BatchRunner<>(context, input, reader, transform);
        Recovery<KO, VO> recovery = new Recovery<>(context, input, producers, patience);
        while (!stop.isRequested()) {
            StopReason reason = null;
            Batch batch = null;
            try {
                step = Operation.POLL;
                batch = input.next(context.settings().pollTimeout());
            } catch (WakeupException e) {
                LOG.debug("{}: woken up", context.name());
            } catch (InterruptException e) {
                stop.request();
            } catch (KafkaException e) {
                reason = pollFailed(e);
            }
            if (batch != null) {
                step = Operation.TRANSFORM;
                reason = handle(batch, runner, recovery);
            }
            if (reason != null) {
                return reason;
            }
        }
        return requested();
    }

    private @Nullable StopReason handle(Batch batch, BatchRunner<KI, VI, KO, VO> runner, Recovery<KO, VO> recovery) {
        if (batch.deadLetter() != null && context.settings().deadLetterTopic().isEmpty()) {
            return StopReason.of(Kind.POISON_RECORD, batch.deadLetter());
        }
        Outcome outcome = runner.run(batch, producers.current());
        if (outcome instanceof Committed committed) {
            producers.next();
            patience.committed();
            input.committed(committed.batch());
            context.listeners().committed(committed.batch());
            return null;
        }
        if (outcome instanceof Interrupted interrupted) {
            interrupted.transaction().abort().error().ifPresent(e -> LOG.warn("{}: {}", context.name(), e.message()));
            return requested();
        }
        return recovery.recover((Failed) outcome);
    }

    /** A poll that throws has not moved. */
    private @Nullable StopReason pollFailed(KafkaException e) {
        TxnError error = ErrorClassifier.classify(Operation.POLL, e, Condition.USABLE);
        LOG.warn("{}: {}", context.name(), error.message());
        return patience.stopOrWait(error);
    }

    private static StopReason requested() {
        return StopReason.requested("The processor was asked to stop.");
    }

    /**
     * Producers first, which ends an open transaction; then the consumer, which gives its partitions to others. Within
     * what is left of the time for stopping.
     */
    void close() {
        boolean interrupted = Thread.interrupted();
        producers.close(stop.remaining().multipliedBy(2).dividedBy(3));
        try {
            input.close(stop.remaining().multipliedBy(3).dividedBy(4));
        } catch (KafkaException e) {
            LOG.warn("{}: consumer did not close cleanly", context.name(), e);
        }
        closeReader();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void closeReader() {
        try {
            reader.close();
        } catch (RuntimeException e) {
            LOG.warn("{}: a deserializer did not close cleanly", context.name(), e);
        }
    }
}
