package io.github.kafkatxn.cluster.internal.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** A partition as a leader has it, whose transactions are always verified, unless a test says otherwise. */
final class TestPartition {
    static final long PID = 100;
    static final AppendRules RULES =
            new AppendRules(1_000_000, TimestampType.CREATE_TIME, Long.MAX_VALUE, 3_600_000, false, true);

    final AtomicLong now = new AtomicLong(1_000_000);
    final PartitionLog log = new PartitionLog();
    LedPartition led = lead(3);

    /** Another leader takes the log over. */
    LedPartition lead(int epoch) {
        led = new LedPartition(new TopicIdPartition(Uuid.ONE_UUID, new TopicPartition("t", 0)), epoch, log, now::get);
        return led;
    }

    MemoryRecords batch(long pid, int epoch, int sequence, boolean transactional, int records) {
        SimpleRecord[] all = new SimpleRecord[records];
        for (int i = 0; i < records; i++) {
            all[i] = new SimpleRecord(now.get(), ("k" + i).getBytes(UTF_8), ("v" + (sequence + i)).getBytes(UTF_8));
        }
        return transactional
                ? MemoryRecords.withTransactionalRecords(Compression.NONE, pid, (short) epoch, sequence, all)
                : MemoryRecords.withIdempotentRecords(Compression.NONE, pid, (short) epoch, sequence, all);
    }

    /** One record of a transaction, under transaction version 2. */
    Appended produce(long pid, int epoch, int sequence) {
        return produce(batch(pid, epoch, sequence, true, 1), true);
    }

    /** One record of a transaction, under transaction version 1. */
    Appended produceV1(long pid, int epoch, int sequence) {
        return produce(batch(pid, epoch, sequence, true, 1), false);
    }

    Appended produce(MemoryRecords records, boolean epochBump) {
        RecordBatch batch = records.batchIterator().next();
        Verification verification = batch.isTransactional()
                ? led.startVerification(batch.producerId(), batch.producerEpoch(), batch.baseSequence(), epochBump)
                : new Verification(Errors.NONE, "", false, VerificationGuard.NONE);
        return led.append(records, RULES, verification.guard());
    }

    Appended idempotent(long pid, int epoch, int sequence) {
        return produce(batch(pid, epoch, sequence, false, 1), false);
    }

    Appended marker(long pid, int epoch, boolean commit, int version) {
        return marker(pid, epoch, commit, version, 0);
    }

    Appended marker(long pid, int epoch, boolean commit, int version, int coordinatorEpoch) {
        return led.appendMarker(new TransactionMarker(pid, (short) epoch, commit, coordinatorEpoch, (byte) version));
    }

    /** What a consumer of committed records gets, as it is told by the log: {@code offset:value}. */
    List<String> committedFrom(long from, int maxBytes) {
        List<String> values = new ArrayList<>();
        LogSlice slice = log.read(from, maxBytes, true, true);
        Queue<AbortedTransaction> aborted =
                new PriorityQueue<>(Comparator.comparingLong(AbortedTransaction::firstOffset));
        aborted.addAll(log.abortedTransactions(from, slice.upperBound()));
        List<Long> dropped = new ArrayList<>();
        for (RecordBatch batch : slice.records().batches()) {
            while (!aborted.isEmpty() && aborted.element().firstOffset() <= batch.lastOffset()) {
                dropped.add(aborted.remove().producerId());
            }
            if (batch.isControlBatch()) {
                dropped.remove(batch.producerId());
                continue;
            }
            for (Record next : batch) {
                if (next.offset() >= from && !dropped.contains(batch.producerId())) {
                    byte[] value = new byte[next.valueSize()];
                    next.value().get(value);
                    values.add(next.offset() + ":" + new String(value, UTF_8));
                }
            }
        }
        return values;
    }
}
