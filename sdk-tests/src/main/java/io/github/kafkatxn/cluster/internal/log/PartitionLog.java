package io.github.kafkatxn.cluster.internal.log;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * The log of one partition: what is written stays, whoever leads it. Belongs to one thread at a time, that of its
 * leader.
 */
public final class PartitionLog {
    private final List<MutableRecordBatch> batches = new ArrayList<>();
    private long endOffset;

    /** {@return the offset of the next record; everything before it can be read} */
    public long endOffset() {
        return endOffset;
    }

    /**
     * Appends records that a node makes itself, for an internal topic: no check of producers and sequences.
     *
     * @param records one or more batches
     * @param leaderEpoch of the leader that writes
     * @return where they are
     */
    public Appended append(MemoryRecords records, int leaderEpoch) {
        long base = endOffset;
        for (MutableRecordBatch batch : records.batches()) {
            batch.setLastOffset(endOffset + batch.lastOffset() - batch.baseOffset());
            batch.setPartitionLeaderEpoch(leaderEpoch);
            batches.add(batch);
            endOffset = batch.nextOffset();
        }
        return Appended.at(base);
    }

    /** {@return everything in the log, in order} */
    public Iterable<? extends RecordBatch> batches() {
        return batches;
    }
}
