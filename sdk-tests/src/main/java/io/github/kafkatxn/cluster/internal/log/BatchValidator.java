package io.github.kafkatxn.cluster.internal.log;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.apache.kafka.common.utils.internals.CloseableIterator;

/** Looks at what a client wants to append, before it gets its offsets. What is wrong is thrown. */
final class BatchValidator {
    private final BufferSupplier buffers = BufferSupplier.create();

    /** Single records are refused, and the batch with them. */
    static final class RecordsRefused extends InvalidRecordException {
        private static final long serialVersionUID = 1L;

        private final transient Appended result;

        RecordsRefused(Errors error, String message, Map<Integer, String> recordErrors) {
            super(message);
            this.result = new Appended(error, -1, RecordBatch.NO_TIMESTAMP, message, recordErrors);
        }

        Appended result() {
            return result;
        }
    }

    /**
     * The one batch of format version 2 that a client sends for a partition.
     *
     * @param batch the batch as it was sent
     * @param maxTimestamp the latest timestamp of its records, as the topic wants it
     */
    record Valid(MutableRecordBatch batch, long maxTimestamp) {}

    /** {@return the batch, whose bytes are not touched: the client's request may be handled again} */
    Valid validate(MemoryRecords records, AppendRules rules, long now) {
        MutableRecordBatch batch = onlyBatch(records);
        if (batch.baseOffset() != 0) {
            throw new InvalidRecordException(
                    "the base offset of a batch to be appended is " + batch.baseOffset() + ", it should be 0");
        }
        if (batch.sizeInBytes() > rules.maxBatchBytes()) {
            throw new RecordTooLargeException(
                    "the batch has " + batch.sizeInBytes() + " bytes, allowed are " + rules.maxBatchBytes());
        }
        if (!batch.isValid()) {
            throw new CorruptRecordException("the checksum of the batch does not fit");
        }
        requireConsistent(batch);
        long latest = validateRecords(batch, rules, now);
        boolean appendTime = rules.timestampType() == TimestampType.LOG_APPEND_TIME;
        return new Valid(batch, appendTime ? now : latest);
    }

    private static MutableRecordBatch onlyBatch(MemoryRecords records) {
        Iterator<MutableRecordBatch> batches = records.batches().iterator();
        if (!batches.hasNext()) {
            throw new InvalidRecordException("there is no batch");
        }
        MutableRecordBatch batch = batches.next();
        if (batch.magic() != RecordBatch.MAGIC_VALUE_V2) {
            throw new InvalidRecordException("the batch has format version " + batch.magic() + ", needed is 2");
        }
        if (batches.hasNext()) {
            throw new InvalidRecordException("there is more than one batch");
        }
        return batch;
    }

    private static void requireConsistent(RecordBatch batch) {
        long offsets = batch.lastOffset() - batch.baseOffset() + 1;
        Integer count = batch.countOrNull();
        if (offsets <= 0 || count == null || count != offsets) {
            throw new InvalidRecordException(
                    "the batch says that it has " + count + " records, but it has " + offsets + " offsets");
        }
        if (batch.isControlBatch()) {
            throw new InvalidRecordException("clients do not write control records");
        }
        if (batch.hasProducerId() && batch.baseSequence() < 0) {
            throw new InvalidRecordException(
                    "the batch of producer " + batch.producerId() + " has the first sequence " + batch.baseSequence());
        }
    }

    /** The latest timestamp of all records. */
    private long validateRecords(MutableRecordBatch batch, AppendRules rules, long now) {
        long latest = RecordBatch.NO_TIMESTAMP;
        Map<Integer, String> keys = new LinkedHashMap<>();
        Map<Integer, String> timestamps = new LinkedHashMap<>();
        try (CloseableIterator<Record> records = batch.skipKeyValueIterator(buffers)) {
            for (int i = 0; records.hasNext(); i++) {
                Record next = records.next();
                latest = Math.max(latest, next.timestamp());
                if (rules.keysNeeded() && !next.hasKey()) {
                    keys.put(i, "a compacted topic takes no record without a key");
                } else if (hasBadTimestamp(batch, next, rules, now)) {
                    timestamps.put(i, "timestamp " + next.timestamp() + " is not allowed here");
                }
            }
        }
        if (!keys.isEmpty() || !timestamps.isEmpty()) {
            Errors error = timestamps.isEmpty() ? Errors.INVALID_RECORD : Errors.INVALID_TIMESTAMP;
            keys.putAll(timestamps);
            throw new RecordsRefused(error, keys.size() + " records are refused", keys);
        }
        return latest;
    }

    private static boolean hasBadTimestamp(RecordBatch batch, Record next, AppendRules rules, long now) {
        if (rules.timestampType() == TimestampType.CREATE_TIME && next.timestamp() != RecordBatch.NO_TIMESTAMP) {
            long age = now - next.timestamp();
            return age > rules.timestampBeforeMaxMs() || -age > rules.timestampAfterMaxMs();
        }
        return batch.timestampType() == TimestampType.LOG_APPEND_TIME;
    }
}
