package io.github.kafkatxn.processor;

import io.github.kafkatxn.processor.Outcome.Committed;
import io.github.kafkatxn.processor.Outcome.Failed;
import io.github.kafkatxn.processor.Outcome.Interrupted;
import io.github.kafkatxn.processor.Outcome.Slowness;
import io.github.kafkatxn.processor.ProcessorListener.Settlement;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** One batch in one transaction: transform, produce, join the input, commit. Decides nothing about what follows. */
final class BatchRunner<KI, VI, KO, VO> {
    private final LaneContext lane;
    private final LaneInput input;
    private final RecordReader<KI, VI> reader;
    private final RecordTransform<KI, VI, KO, VO> transform;
    private final LaneOutputs<KO, VO> outputs = new LaneOutputs<>();
    private final Duration callTimeout;
    private final long budgetNanos;
    private final long transactionTimeoutNanos;
    private final long maxPollIntervalNanos;
    private long begun;
    private long transformed;
    private boolean doubted;

    BatchRunner(
            LaneContext lane, LaneInput input, RecordReader<KI, VI> reader, RecordTransform<KI, VI, KO, VO> transform) {
        this.lane = lane;
        this.input = input;
        this.reader = reader;
        this.transform = transform;
        ProcessorSettings settings = lane.settings();
        this.callTimeout = settings.producer().callTimeout();
        this.transactionTimeoutNanos = settings.producer().transactionTimeout().toNanos();
        this.maxPollIntervalNanos = settings.maxPollInterval().toNanos();
        // What is transformed by then is committed and the rest is left for the next transaction, so that neither the
        // broker's patience with the transaction nor the group's with this member ends.
        this.budgetNanos = Math.min(transactionTimeoutNanos, maxPollIntervalNanos) / 2;
    }

    Outcome run(Batch batch, TransactionalProducer<KO, VO> producer) {
        begun = System.nanoTime();
        transformed = begun;
        doubted = false;
        return producer.beginTransaction()
                .fold(
                        transaction -> inTransaction(batch, transaction, producer),
                        error -> failed(batch, error, null, null));
    }

    private Outcome inTransaction(
            Batch batch, Transaction<KO, VO> transaction, TransactionalProducer<KO, VO> producer) {
        outputs.begin();
        Outcome outcome = batch.deadLetter() == null
                ? transformAll(batch, transaction)
                : deadLetter(batch, batch.deadLetter(), transaction);
        if (outcome instanceof Committed ready) {
            outcome = commit(ready.batch(), transaction);
        }
        return outcome instanceof Failed failed && isUndelivered(failed.error()) && hasSplit(producer)
                ? failed.whileSplitting()
                : outcome;
    }

    private Outcome transformAll(Batch batch, Transaction<KO, VO> transaction) {
        List<ConsumerRecord<byte[], byte[]>> records = batch.records();
        int size = records.size();
        for (int i = 0; i < size; i++) {
            ConsumerRecord<byte[], byte[]> record = records.get(i);
            Exception thrown = transformOne(record, transaction, batch.careful() ? callTimeout : null);
            transformed = System.nanoTime();
            if (thrown != null && isInterrupt(thrown)) {
                Thread.currentThread().interrupt();
                lane.stop().request();
                return new Interrupted(batch, transaction);
            }
            Outcome failed = failure(batch, record, transaction, thrown);
            if (failed != null) {
                return failed;
            }
            TxnError lost = input.keep(batch, transformed);
            if (lost != null) {
                return failed(batch, lost, transaction, null);
            }
            boolean enough = transformed - begun > budgetNanos || lane.stop().graceIsOver(transformed);
            if (enough && i + 1 < size) {
                return new Committed(batch.take(i + 1));
            }
        }
        return new Committed(batch);
    }

    private @Nullable Exception transformOne(
            ConsumerRecord<byte[], byte[]> record, Transaction<KO, VO> transaction, @Nullable Duration wait) {
        outputs.open(transaction, wait);
        try {
            transform.transform(reader.read(record), outputs);
            return outputs.misuse();
        } catch (Exception e) {
            return e;
        } finally {
            outputs.close();
        }
    }

    private @Nullable Outcome failure(
            Batch batch,
            ConsumerRecord<byte[], byte[]> record,
            Transaction<KO, VO> transaction,
            @Nullable Exception thrown) {
        TxnError poisoned = transaction.failure().orElse(null);
        // A batch is cut at half the time: it is this record that has taken longer than the other half.
        String passed = passedLimit(transformed);
        if (poisoned != null) {
            boolean thisOne =
                    (passed != null && !isUndelivered(poisoned)) || (outputs.refused() && isOfTheRecord(poisoned));
            return failed(batch, poisoned, transaction, thisOne ? record : null);
        }
        if (thrown == null && passed == null) {
            return null;
        }
        Exception cause = thrown != null ? thrown : new TimeoutException("the transform took longer than " + passed);
        TxnError error = ErrorClassifier.classify(Operation.TRANSFORM, cause, Condition.USABLE)
                .withDetail("Input: " + Batch.partitionOf(record) + " offset " + record.offset() + ".");
        return failed(batch, error, transaction, record);
    }

    private Outcome deadLetter(Batch batch, TxnError why, Transaction<KO, VO> transaction) {
        ConsumerRecord<byte[], byte[]> record = batch.records().get(0);
        Future<RecordMetadata> sent = transaction.send(DeadLetter.of(
                lane.settings().deadLetterTopic().orElseThrow(),
                input.groupId(),
                record,
                why,
                input.suspicion().attempts(record)));
        TxnError refused = sent.isDone() ? transaction.failure().orElse(null) : null;
        return refused == null ? new Committed(batch) : failed(batch, refused, transaction, null);
    }

    private Outcome commit(Batch batch, Transaction<KO, VO> transaction) {
        TxnError refused = input.join(batch, transaction);
        if (refused == null) {
            refused = misuse();
        }
        if (refused == null) {
            refused = commit(transaction).error().orElse(null);
        }
        return refused == null ? new Committed(batch) : failed(batch, refused, transaction, null);
    }

    /** The application sends from a thread that nobody waits for: what it loses will not be noticed every time. */
    private @Nullable TxnError misuse() {
        IllegalStateException misuse = outputs.anyMisuse();
        return misuse == null ? null : ErrorClassifier.classify(Operation.SEND, misuse, Condition.USABLE);
    }

    /** A commit in doubt is asked again for as long as the coordinator waits for it; that is the cheapest answer. */
    private TxnResult<TransactionStats> commit(Transaction<KO, VO> transaction) {
        TxnResult<TransactionStats> committed = transaction.commit();
        doubted = isInDoubt(committed);
        while (isInDoubt(committed)
                && !lane.stop().isRequested()
                && System.nanoTime() - begun < transactionTimeoutNanos) {
            committed = transaction.commit();
        }
        if (doubted && committed.isSuccess()) {
            lane.listeners().settled(Settlement.REPEATED);
        }
        return committed;
    }

    private Failed failed(
            Batch batch,
            TxnError error,
            @Nullable Transaction<KO, VO> transaction,
            @Nullable ConsumerRecord<byte[], byte[]> record) {
        Slowness slowness = Slowness.NONE;
        if (passedLimit(System.nanoTime()) != null) {
            slowness = isTransforms(error) ? Slowness.TRANSFORM : Slowness.WAITED;
        }
        return new Failed(batch, error, transaction, record, doubted || error.inDoubt(), slowness, false);
    }

    /**
     * {@return whether it is the transform that has taken too long} It may take half of the time, and half of the rest
     * is enough for a cluster that answers. A transform waits as well, in its sends, while brokers are away.
     */
    private boolean isTransforms(TxnError error) {
        boolean unanswered = error.inDoubt() || error.cause() instanceof TimeoutException;
        return transformed - begun > budgetNanos / 2 * 3 && (error.operation() == Operation.TRANSFORM || !unanswered);
    }

    /** {@return the setting that says how long a transaction may take at most, or null if it has not taken so long} */
    private @Nullable String passedLimit(long now) {
        if (now - begun > transactionTimeoutNanos) {
            return "transaction.timeout.ms="
                    + lane.settings().producer().transactionTimeout().toMillis();
        }
        if (now - input.polledSince() > maxPollIntervalNanos) {
            return "max.poll.interval.ms=" + lane.settings().maxPollInterval().toMillis();
        }
        return null;
    }

    private static boolean isInDoubt(TxnResult<?> result) {
        return result.error()
                .filter(error -> error.inDoubt() && error.action() == Action.RETRY_CALL)
                .isPresent();
    }

    private static boolean isInterrupt(Exception thrown) {
        return thrown instanceof InterruptedException
                || thrown instanceof InterruptException
                || Thread.currentThread().isInterrupted();
    }

    /** A place that does not exist is not an outage: it is what the transform has made of the record. */
    private static boolean isOfTheRecord(TxnError error) {
        return error.recordLevel()
                || error.cause() instanceof InvalidTopicException
                || error.cause().getCause() instanceof UnknownTopicOrPartitionException
                || isPartitionThatDoesNotExist(error.cause());
    }

    /** The client waits for the topic to be enlarged, and says only that it has waited; the words are its own. */
    private static boolean isPartitionThatDoesNotExist(Throwable failure) {
        return failure instanceof TimeoutException
                && String.valueOf(failure.getMessage()).contains("with partition count");
    }

    private static boolean isUndelivered(TxnError error) {
        return error.operation() == Operation.SEND && error.cause() instanceof TimeoutException;
    }

    /**
     * A batch that the broker refuses as too large is split by the client, for ever if what is left is one record that
     * is too large and a small one that fits beside it (what KAFKA-8350 has left).
     */
    private static boolean hasSplit(TransactionalProducer<?, ?> producer) {
        return producer.metrics().entrySet().stream()
                .anyMatch(metric -> metric.getKey().name().equals("batch-split-total")
                        && metric.getValue().metricValue() instanceof Double splits
                        && splits > 0);
    }
}
