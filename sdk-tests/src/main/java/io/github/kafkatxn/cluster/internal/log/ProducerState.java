package io.github.kafkatxn.cluster.internal.log;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.apache.kafka.common.record.internal.RecordBatch;

/** What a partition knows of one producer. */
final class ProducerState {
    static final long NO_TRANSACTION = -1;
    private static final int CACHED_BATCHES = 5;

    private final Deque<Written> batches = new ArrayDeque<>(CACHED_BATCHES);
    private short epoch = RecordBatch.NO_PRODUCER_EPOCH;
    private int coordinatorEpoch = -1;
    private long lastTimestamp = RecordBatch.NO_TIMESTAMP;
    private long transactionStart = NO_TRANSACTION;

    /** A batch of the producer that is in the log. */
    record Written(int firstSequence, int lastSequence, long baseOffset, long lastOffset, long timestamp) {}

    short epoch() {
        return epoch;
    }

    int coordinatorEpoch() {
        return coordinatorEpoch;
    }

    long lastTimestamp() {
        return lastTimestamp;
    }

    /** The first offset of the open transaction, or {@link #NO_TRANSACTION}. */
    long transactionStart() {
        return transactionStart;
    }

    boolean inTransaction() {
        return transactionStart != NO_TRANSACTION;
    }

    boolean inTransaction(short ofEpoch) {
        return inTransaction() && epoch == ofEpoch;
    }

    boolean hasNoBatches() {
        return batches.isEmpty();
    }

    int lastSequence() {
        Written last = batches.peekLast();
        return last == null ? RecordBatch.NO_SEQUENCE : last.lastSequence();
    }

    /** The same batch, if it is one of the last five. */
    Optional<Written> duplicateOf(RecordBatch batch) {
        if (batch.producerEpoch() != epoch) {
            return Optional.empty();
        }
        return batches.stream()
                .filter(written -> written.firstSequence() == batch.baseSequence()
                        && written.lastSequence() == batch.lastSequence())
                .findFirst();
    }

    void written(RecordBatch batch) {
        takeEpoch(batch.producerEpoch());
        if (batches.size() == CACHED_BATCHES) {
            batches.removeFirst();
        }
        batches.add(new Written(
                batch.baseSequence(),
                batch.lastSequence(),
                batch.baseOffset(),
                batch.lastOffset(),
                batch.maxTimestamp()));
        lastTimestamp = batch.maxTimestamp();
        if (batch.isTransactional() && !inTransaction()) {
            transactionStart = batch.baseOffset();
        }
    }

    void ended(TransactionMarker marker, long timestamp) {
        takeEpoch(marker.producerEpoch());
        coordinatorEpoch = marker.coordinatorEpoch();
        lastTimestamp = timestamp;
        transactionStart = NO_TRANSACTION;
    }

    private void takeEpoch(short next) {
        if (epoch != next) {
            batches.clear();
            epoch = next;
        }
    }
}
