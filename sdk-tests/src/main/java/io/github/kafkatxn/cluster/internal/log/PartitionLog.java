package io.github.kafkatxn.cluster.internal.log;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * The log of one partition: what is written stays, whoever leads it. There is no replication, so the high watermark is
 * the end of the log. Belongs to one thread at a time, that of its leader.
 */
public final class PartitionLog {
    private final RecordStore store = new RecordStore();
    private final Producers producers = new Producers();
    private final Transactions transactions = new Transactions();
    private final LeaderEpochs epochs = new LeaderEpochs();
    private final BatchValidator validator = new BatchValidator();
    private long startOffset;

    /** {@return the first offset that can be read} */
    public long startOffset() {
        return startOffset;
    }

    /** {@return the offset of the next record; everything before it can be read} */
    public long endOffset() {
        return store.endOffset();
    }

    /**
     * The first offset of the oldest open transaction, else the end: committed records are read up to here. If the log
     * begins behind it, it is where the batch begins in which the log begins, as with Apache Kafka.
     *
     * @return the offset
     */
    public long lastStableOffset() {
        long unstable = transactions.firstUnstable(endOffset());
        if (unstable >= startOffset) {
            return unstable;
        }
        Iterator<RecordBatch> left = batches().iterator();
        return left.hasNext() ? left.next().baseOffset() : startOffset;
    }

    /** {@return everything in the log, in order} */
    public Iterable<RecordBatch> batches() {
        return () -> store.iterator(startOffset);
    }

    /**
     * Reads.
     *
     * @param from the first offset wanted, from the start to the end of the log
     * @param maxBytes how much is wanted
     * @param committed whether to stop at the last stable offset
     * @param wholeBatch whether the first batch is wanted even if it is larger
     * @return what there is, nothing if the first batch is too large and not wanted whole
     */
    public LogSlice read(long from, int maxBytes, boolean committed, boolean wholeBatch) {
        return store.read(from, maxBytes, committed ? lastStableOffset() : endOffset(), wholeBatch);
    }

    /**
     * The aborted transactions that have records in a range.
     *
     * @param from its first offset
     * @param upperBound the offset behind it
     * @return all of them, and perhaps some more
     */
    public List<AbortedTransaction> abortedTransactions(long from, long upperBound) {
        return transactions.abortedIn(from, upperBound);
    }

    /**
     * Where a leader epoch ended.
     *
     * @param leaderEpoch the epoch
     * @return where the latest one ended that is not higher
     */
    public EpochEnd endOf(int leaderEpoch) {
        return epochs.endOf(leaderEpoch, endOffset());
    }

    /** {@return the leader epoch at the start of the log, empty if that is not known} */
    public Optional<Integer> firstLeaderEpoch() {
        return epochs.earliest(startOffset);
    }

    /** {@return the latest leader epoch, empty if nobody has led the partition yet} */
    public Optional<Integer> latestLeaderEpoch() {
        return epochs.latest();
    }

    /**
     * The first record that is not older than a timestamp.
     *
     * @param timestamp in milliseconds since the epoch
     * @return where it is, empty if all are older
     */
    public Optional<FoundOffset> firstWithTimestamp(long timestamp) {
        return store.firstWithTimestamp(startOffset, timestamp).flatMap(batch -> find(batch, timestamp));
    }

    /** {@return where the latest timestamp of all is, empty if there is none} */
    public Optional<FoundOffset> latestTimestamp() {
        return store.withLatestTimestamp(startOffset).flatMap(batch -> find(batch, batch.maxTimestamp()));
    }

    /** {@return the producers that are known here} */
    public List<ActiveProducer> activeProducers() {
        return producers.active();
    }

    /** A node leads the partition from now on. */
    void lead(int leaderEpoch) {
        epochs.begin(leaderEpoch, endOffset());
        producers.forgetVerifications();
    }

    /** Appends what a client sent; without effect, and successful, if it is here already. */
    Appended append(MemoryRecords records, AppendRules rules, VerificationGuard guard, int leaderEpoch, long now) {
        try {
            BatchValidator.Valid valid = validator.validate(records, rules, now);
            MutableRecordBatch batch = valid.batch();
            boolean appendTime = rules.timestampType() == TimestampType.LOG_APPEND_TIME;
            if (batch.hasProducerId()) {
                Optional<ProducerState.Written> duplicate = producers.duplicateOf(batch);
                if (duplicate.isPresent()) {
                    return Appended.at(
                            duplicate.get().baseOffset(), duplicate.get().timestamp());
                }
                if (batch.isTransactional() && rules.verified()) {
                    producers.requireVerified(batch, guard);
                }
                producers.requireInOrder(batch, true);
            }
            LeaderFields fields = new LeaderFields(leaderEpoch, rules.timestampType(), valid.maxTimestamp());
            return Appended.at(add(batch, fields), appendTime ? now : RecordBatch.NO_TIMESTAMP);
        } catch (BatchValidator.RecordsRefused e) {
            return e.result();
        } catch (ApiException e) {
            return Appended.refused(e);
        }
    }

    /** Appends what the node makes itself: no check of sequences, and nothing is a duplicate. */
    Appended append(MemoryRecords records, int leaderEpoch) {
        long base = endOffset();
        try {
            for (MutableRecordBatch batch : records.batches()) {
                if (batch.hasProducerId()) {
                    producers.requireInOrder(batch, false);
                }
                add(batch, LeaderFields.keepingTime(leaderEpoch, batch));
            }
            return Appended.at(base);
        } catch (ApiException e) {
            return Appended.refused(e);
        }
    }

    /** The same, for a transaction that was verified. */
    Appended append(MemoryRecords records, VerificationGuard guard, int leaderEpoch) {
        try {
            producers.requireVerified(records.batchIterator().next(), guard);
        } catch (ApiException e) {
            return Appended.refused(e);
        }
        return append(records, leaderEpoch);
    }

    /** Appends a marker, which ends the open transaction of its producer if there is one. */
    Appended append(TransactionMarker marker, int leaderEpoch, long now) {
        try {
            producers.requireInOrder(marker);
        } catch (ApiException e) {
            return Appended.refused(e);
        }
        ControlRecordType type = marker.commit() ? ControlRecordType.COMMIT : ControlRecordType.ABORT;
        MemoryRecords records = MemoryRecords.withEndTransactionMarker(
                endOffset(),
                now,
                leaderEpoch,
                marker.producerId(),
                marker.producerEpoch(),
                new EndTransactionMarker(type, marker.coordinatorEpoch()));
        long offset = endOffset();
        MutableRecordBatch batch = records.batchIterator().next();
        store.add(batch, LeaderFields.keepingTime(leaderEpoch, batch));
        long transactionStart = producers.transactionStart(marker.producerId());
        producers.ended(marker, now);
        if (transactionStart != ProducerState.NO_TRANSACTION) {
            transactions.ended(transactionStart, offset, marker.commit());
        }
        return Appended.at(offset);
    }

    Verification startVerification(long producerId, short epoch, int firstSequence, boolean epochBump) {
        return producers.startVerification(producerId, epoch, firstSequence, epochBump);
    }

    /** Whoever has written nothing since then is forgotten. */
    void expireProducers(long timestamp) {
        producers.expire(timestamp);
    }

    /** The log begins later from now on; not later than its end. */
    void deleteBefore(long offset) {
        if (offset <= startOffset) {
            return;
        }
        startOffset = offset;
        store.dropBefore(offset);
        transactions.dropBefore(offset);
        epochs.truncateBefore(offset);
    }

    private long add(MutableRecordBatch batch, LeaderFields fields) {
        RecordBatch added = store.add(batch, fields);
        if (added.hasProducerId()) {
            producers.written(added);
            if (added.isTransactional()) {
                transactions.begun(producers.transactionStart(added.producerId()), added.producerId());
            }
        }
        return added.baseOffset();
    }

    private Optional<FoundOffset> find(RecordBatch batch, long timestamp) {
        for (Record next : batch) {
            if (next.offset() >= startOffset && next.timestamp() >= timestamp) {
                return Optional.of(new FoundOffset(next.offset(), next.timestamp(), batch.partitionLeaderEpoch()));
            }
        }
        return Optional.empty();
    }
}
