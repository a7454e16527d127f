package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.log.AbortedTransaction;
import io.github.kafkatxn.cluster.internal.log.EpochEnd;
import io.github.kafkatxn.cluster.internal.log.LogSlice;
import io.github.kafkatxn.cluster.internal.log.PartitionLog;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Reads the partitions of one fetch request, as often as is needed until there is enough. */
final class FetchReader {
    private static final int UNKNOWN = -1;

    private final Leaders leaders;
    private final boolean committed;
    private final int maxBytes;

    /**
     * What was read of all partitions.
     *
     * @param parts of each partition, in their order
     * @param bytes how much
     * @param decided whether waiting for more is of no use: an error, or more than a log gives at once
     */
    record Result(List<Part> parts, long bytes, boolean decided) {}

    /**
     * What was read of a partition.
     *
     * @param target which
     * @param data what to answer
     */
    record Part(FetchTarget target, PartitionData data) {}

    FetchReader(NodeContext node, boolean committed, int maxBytes) {
        this.leaders = new Leaders(node);
        this.committed = committed;
        this.maxBytes = maxBytes;
    }

    Result read(List<FetchTarget> targets) {
        List<Part> parts = new ArrayList<>();
        long bytes = 0;
        boolean decided = false;
        for (FetchTarget target : targets) {
            PartitionData data =
                    new PartitionData().setPartitionIndex(target.asked().partition());
            decided |= read(target, (int) Math.max(0, maxBytes - bytes), bytes == 0, data);
            bytes += data.records().sizeInBytes();
            parts.add(new Part(target, data));
        }
        return new Result(parts, bytes, decided);
    }

    static PartitionData failed(int partition, Errors error) {
        return fail(new PartitionData().setPartitionIndex(partition), error);
    }

    /** Whether waiting for more is of no use. */
    private boolean read(FetchTarget target, int limit, boolean wholeBatch, PartitionData data) {
        Errors error = check(target);
        if (error != Errors.NONE) {
            fail(data, error);
            return true;
        }
        FetchPartition asked = target.asked();
        PartitionLog log = leaders.get(target.partition()).log();
        if (isOutOfRange(log, asked)) {
            fail(data, Errors.OFFSET_OUT_OF_RANGE);
            return true;
        }
        data.setHighWatermark(log.endOffset())
                .setLastStableOffset(log.lastStableOffset())
                .setLogStartOffset(log.startOffset())
                .setAbortedTransactions(committed ? new ArrayList<>() : null)
                .setRecords(MemoryRecords.EMPTY);
        if (diverges(log, asked)) {
            EpochEnd end = log.endOf(asked.lastFetchedEpoch());
            data.divergingEpoch().setEpoch(end.leaderEpoch()).setEndOffset(end.endOffset());
            return true;
        }
        long offset = asked.fetchOffset();
        LogSlice slice = log.read(offset, Math.min(limit, asked.partitionMaxBytes()), committed, wholeBatch);
        data.setRecords(slice.records());
        if (committed && slice.sizeInBytes() > 0) {
            log.abortedTransactions(offset, slice.upperBound()).stream()
                    .map(FetchReader::encode)
                    .forEach(data.abortedTransactions()::add);
        }
        return slice.more() || (committed && offset > log.lastStableOffset());
    }

    private static boolean isOutOfRange(PartitionLog log, FetchPartition asked) {
        long offset = asked.fetchOffset();
        boolean epochIsUnknown = asked.lastFetchedEpoch() >= 0
                && log.endOf(asked.lastFetchedEpoch()).endOffset() == UNKNOWN;
        return epochIsUnknown || offset < log.startOffset() || (offset > log.endOffset() && !diverges(log, asked));
    }

    /** The client has records of an epoch that this log does not have, or not so many. */
    private static boolean diverges(PartitionLog log, FetchPartition asked) {
        if (asked.lastFetchedEpoch() < 0) {
            return false;
        }
        EpochEnd end = log.endOf(asked.lastFetchedEpoch());
        return end.leaderEpoch() < asked.lastFetchedEpoch() || end.endOffset() < asked.fetchOffset();
    }

    private Errors check(FetchTarget target) {
        TopicPartition partition = target.partition();
        Errors error = leaders.check(partition, RecordBatch.NO_PARTITION_LEADER_EPOCH);
        if (error == Errors.NONE
                && target.key().hasId()
                && !leaders.get(partition).id().topicId().equals(target.key().topicId())) {
            return Errors.INCONSISTENT_TOPIC_ID;
        }
        return error == Errors.UNKNOWN_TOPIC_OR_PARTITION
                ? error
                : leaders.check(partition, target.asked().currentLeaderEpoch());
    }

    private static PartitionData fail(PartitionData data, Errors error) {
        return data.setErrorCode(error.code())
                .setHighWatermark(UNKNOWN)
                .setLastStableOffset(UNKNOWN)
                .setLogStartOffset(UNKNOWN)
                .setAbortedTransactions(null)
                .setRecords(MemoryRecords.EMPTY);
    }

    private static FetchResponseData.AbortedTransaction encode(AbortedTransaction aborted) {
        return new FetchResponseData.AbortedTransaction()
                .setProducerId(aborted.producerId())
                .setFirstOffset(aborted.firstOffset());
    }
}
