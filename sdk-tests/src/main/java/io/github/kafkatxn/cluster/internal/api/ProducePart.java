package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.log.Appended;
import io.github.kafkatxn.cluster.internal.log.VerificationGuard;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.jspecify.annotations.Nullable;

/** What one produce request wants to append to one partition, and what has come of it. */
final class ProducePart {
    static final long UNKNOWN = -1;

    private final TopicIdPartition partition;
    private final MemoryRecords records;
    private VerificationGuard guard = VerificationGuard.NONE;
    private @Nullable Appended result;
    private @Nullable String message;
    private long logStartOffset = UNKNOWN;

    ProducePart(TopicIdPartition partition, MemoryRecords records) {
        this.partition = partition;
        this.records = records;
    }

    TopicIdPartition partition() {
        return partition;
    }

    MemoryRecords records() {
        return records;
    }

    /** The first batch, the only one of a request that is not refused. */
    RecordBatch batch() {
        return records.batchIterator().next();
    }

    boolean isTransactional() {
        for (RecordBatch batch : records.batches()) {
            if (batch.isTransactional()) {
                return true;
            }
        }
        return false;
    }

    VerificationGuard guard() {
        return guard;
    }

    void verifiedWith(VerificationGuard used) {
        guard = used;
    }

    /** Whether nothing has come of it yet. */
    boolean isOpen() {
        return result == null;
    }

    Appended result() {
        if (result == null) {
            throw new IllegalStateException("nothing has come of " + partition + " yet");
        }
        return result;
    }

    long logStartOffset() {
        return logStartOffset;
    }

    /** What the client is told beside the error, usually nothing. */
    @Nullable
    String message() {
        return message;
    }

    void refused(Errors error) {
        result = Appended.refused(error, error.message());
    }

    void refused(Errors error, String words) {
        result = Appended.refused(error, words);
        message = words;
    }

    void appended(Appended appended, long startOffset) {
        result = appended;
        logStartOffset = startOffset;
        if (!appended.recordErrors().isEmpty()) {
            message = appended.message();
        }
    }
}
