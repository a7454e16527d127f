package io.github.kafkatxn.cluster;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.Utils;

/**
 * What a read_committed consumer makes of an answer: the records of each aborted transaction that the answer names are
 * dropped, from its first offset up to its producer's abort marker.
 *
 * @param records those that an application gets
 * @param next where to go on
 */
record CommittedRead(List<Value> records, long next) {

    /** A record that an application gets. */
    record Value(long offset, String value) {}

    static CommittedRead of(PartitionData data, long from) {
        Queue<AbortedTransaction> named = new ArrayDeque<>(data.abortedTransactions().stream()
                .sorted(Comparator.comparingLong(AbortedTransaction::firstOffset))
                .toList());
        Set<Long> dropped = new HashSet<>();
        List<Value> values = new ArrayList<>();
        long next = from;
        for (RecordBatch batch : ((MemoryRecords) data.records()).batches()) {
            while (!named.isEmpty() && named.element().firstOffset() <= batch.lastOffset()) {
                dropped.add(named.remove().producerId());
            }
            if (batch.isControlBatch()) {
                if (isAbort(batch)) {
                    dropped.remove(batch.producerId());
                }
            } else if (!dropped.contains(batch.producerId())) {
                addValues(batch, from, values);
            }
            next = batch.nextOffset();
        }
        return new CommittedRead(values, next);
    }

    private static boolean isAbort(RecordBatch batch) {
        return ControlRecordType.parse(batch.iterator().next().key()) == ControlRecordType.ABORT;
    }

    private static void addValues(RecordBatch batch, long from, List<Value> values) {
        for (Record record : batch) {
            if (record.offset() >= from) {
                values.add(
                        new Value(record.offset(), new String(Utils.toArray(record.value()), StandardCharsets.UTF_8)));
            }
        }
    }
}
