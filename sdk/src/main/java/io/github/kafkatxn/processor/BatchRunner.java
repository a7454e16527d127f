package io.github.kafkatxn.processor;

import io.github.kafkatxn.processor.Outcome.Committed;
import io.github.kafkatxn.processor.Outcome.Failed;
import io.github.kafkatxn.processor.Outcome.Interrupted;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One batch in one transaction: transform, produce, offsets, commit. Decides nothing about what follows. */
final class BatchRunner<KI, VI, KO, VO> {
    private final ProcessorSettings settings;
    private final InputConsumer input;
    private final Isolation isolation;
    private final RecordReader<KI, VI> reader;
    private final RecordTransform<KI, VI, KO, VO> transform;
    private final StopSignal stop;
    private final LaneOutputs<KO, VO> outputs = new LaneOutputs<>();
    private final long budgetNanos;
    private final long transactionTimeoutNanos;

    BatchRunner(
            ProcessorSettings settings,
            InputConsumer input,
            Isolation isolation,
            RecordReader<KI, VI> reader,
            RecordTransform<KI, VI, KO, VO> transform,
            StopSignal stop) {
        this.settings = settings;
        this.input = input;
        this.isolation = isolation;
        this.reader = reader;
        this.transform = transform;
        this.stop = stop;
        this.transactionTimeoutNanos = settings.producer().transactionTimeout().toNanos();
        // What is transformed by then is committed and the rest is left for the next transaction, so that neither the
        // broker's patience with the transaction nor the group's with this member ends.
        this.budgetNanos =
                Math.min(transactionTimeoutNanos, settings.maxPollInterval().toNanos()) / 2;
    }

    Outcome run(Batch batch, TransactionalProducer<KO, VO> producer) {
        TxnResult<Transaction<KO, VO>> begun = producer.beginTransaction();
        return begun.fold(
                transaction -> inTransaction(batch, transaction), error -> new Failed(batch, error, null, null, false));
    }

    private Outcome inTransaction(Batch batch, Transaction<KO, VO> transaction) {
        long start = System.nanoTime();
        Outcome produced = batch.deadLetter() == null
                ? transformAll(batch, transaction, start)
                : deadLetter(batch, batch.deadLetter(), transaction);
        return produced instanceof Committed ready ? commit(ready.batch(), transaction, start) : produced;
    }

    private Outcome transformAll(Batch batch, Transaction<KO, VO> transaction, long start) {
        List<ConsumerRecord<byte[], byte[]>> records = batch.records();
        for (int i = 0; i < records.size(); i++) {
            ConsumerRecord<byte[], byte[]> record = records.get(i);
            Exception thrown = transformOne(record, transaction);
            if (thrown instanceof InterruptedException || thrown instanceof InterruptException) {
                Thread.currentThread().interrupt();
                stop.request();
                return new Interrupted(batch, transaction);
            }
            TxnError poisoned = transaction.failure().orElse(null);
            if (poisoned != null) {
                boolean thisOne = outputs.refused() && poisoned.recordLevel();
                return new Failed(batch, poisoned, transaction, thisOne ? record : null, isTooSlow(start));
            }
            if (thrown != null) {
                return failedAt(record, batch, transaction, thrown);
            }
            long now = System.nanoTime();
            if (stop.graceIsOver(now)) {
                return new Interrupted(batch, transaction);
            }
            if (now - start > transactionTimeoutNanos) {
                return failedAt(
                        record,
                        batch,
                        transaction,
                        new TimeoutException("the transform took longer than" + " transaction.timeout.ms="
                                + settings.producer().transactionTimeout().toMillis()));
            }
            if (now - start > budgetNanos && i + 1 < records.size()) {
                return new Committed(batch.take(i + 1));
            }
        }
        return new Committed(batch);
    }

    private @Nullable Exception transformOne(ConsumerRecord<byte[], byte[]> record, Transaction<KO, VO> transaction) {
        outputs.open(transaction);
        try {
            transform.transform(reader.read(record), outputs);
            return outputs.misuse();
        } catch (Exception e) {
            return e;
        } finally {
            outputs.close();
        }
    }

    private Outcome deadLetter(Batch batch, TxnError why, Transaction<KO, VO> transaction) {
        ConsumerRecord<byte[], byte[]> record = batch.records().get(0);
        Future<RecordMetadata> sent = transaction.send(DeadLetter.of(
                settings.deadLetterTopic().orElseThrow(),
                input.groupMetadata().groupId(),
                record,
                why,
                isolation.attempts(record)));
        TxnError refused = sent.isDone() ? transaction.failure().orElse(null) : null;
        return refused == null ? new Committed(batch) : new Failed(batch, refused, transaction, null, false);
    }

    private Outcome commit(Batch batch, Transaction<KO, VO> transaction, long start) {
        Map<TopicPartition, OffsetAndMetadata> offsets = batch.next();
        ConsumerGroupMetadata group = input.groupMetadata();
        if (!input.stillOwns(group, offsets.keySet())) {
            TxnError lost = ErrorClassifier.classify(
                    Operation.SEND_OFFSETS,
                    new RebalanceInProgressException("this member lost partitions of the batch before its offsets were"
                            + " sent; it took longer than max.poll.interval.ms, or the group moved them"),
                    Condition.USABLE);
            return new Failed(batch, lost, transaction, null, false);
        }
        TxnError refused =
                transaction.sendOffsetsToTransaction(offsets, group).error().orElse(null);
        if (refused == null) {
            TxnResult<TransactionStats> committed = transaction.commit();
            refused = committed.error().orElse(null);
        }
        return refused == null ? new Committed(batch) : new Failed(batch, refused, transaction, null, isTooSlow(start));
    }

    private Failed failedAt(
            ConsumerRecord<byte[], byte[]> record, Batch batch, Transaction<KO, VO> transaction, Exception thrown) {
        TxnError error = ErrorClassifier.classify(Operation.TRANSFORM, thrown, Condition.USABLE)
                .withDetail("Input: " + Batch.partitionOf(record) + " offset " + record.offset() + ".");
        return new Failed(batch, error, transaction, record, false);
    }

    private boolean isTooSlow(long start) {
        return System.nanoTime() - start > transactionTimeoutNanos;
    }
}
