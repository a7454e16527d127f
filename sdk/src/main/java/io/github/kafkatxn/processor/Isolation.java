package io.github.kafkatxn.processor;

import io.github.kafkatxn.result.TxnError;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Finds the record that makes batches fail, and counts how often it was tried.
 *
 * <p>Per partition there is at most one range of offsets under suspicion: one record if it is known which one failed,
 * else the whole failed batch, of which half is tried next, until the record stands alone. What lies before a range is
 * processed as usual and first; a batch has either suspects or none. Belongs to a lane and outlives its producers.
 */
final class Isolation {
    private record Range(long first, long last) {}

    private record Attempts(long offset, int count, TxnError error) {}

    private static final Comparator<TopicPartition> ORDER =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    private final int maxAttempts;
    private final Map<TopicPartition, Range> suspects = new TreeMap<>(ORDER);
    private final Map<TopicPartition, Attempts> attempts = new TreeMap<>(ORDER);
    private int limit = Integer.MAX_VALUE;
    private boolean suspectsAreNext;

    Isolation(int maxAttempts) {
        this.maxAttempts = maxAttempts;
    }

    /** {@return the next batch from what was polled; a dead letter if its one record has been tried often enough} */
    Batch next(ConsumerRecords<byte[], byte[]> polled) {
        List<ConsumerRecord<byte[], byte[]>> clean = new ArrayList<>(polled.count());
        List<ConsumerRecord<byte[], byte[]>> suspicious = new ArrayList<>();
        for (TopicPartition partition : polled.partitions()) {
            split(polled.records(partition), suspects.get(partition), clean, suspicious);
        }
        if (suspicious.isEmpty() || (!clean.isEmpty() && !suspectsAreNext)) {
            suspectsAreNext = true;
            return Batch.of(polled, clean);
        }
        suspectsAreNext = false;
        Batch batch = Batch.of(polled, List.copyOf(suspicious.subList(0, Math.min(limit, suspicious.size()))));
        TxnError given = batch.records().size() == 1 ? exhausted(batch.records().get(0)) : null;
        return given == null ? batch : batch.asDeadLetter(given);
    }

    /** This record failed. */
    void blame(ConsumerRecord<byte[], byte[]> record, TxnError error) {
        TopicPartition partition = Batch.partitionOf(record);
        Attempts before = attempts.get(partition);
        int count = before != null && before.offset() == record.offset() ? before.count() : 0;
        attempts.put(partition, new Attempts(record.offset(), count + 1, error));
        suspects.put(partition, new Range(record.offset(), record.offset()));
        limit = 1;
    }

    /** Some record of this batch failed. */
    void blame(Batch batch, TxnError error) {
        if (batch.records().size() == 1) {
            blame(batch.records().get(0), error);
        } else {
            halve(batch);
        }
    }

    /** The batch is too large, or one of its records is at fault. */
    void halve(Batch batch) {
        suspects.clear();
        for (ConsumerRecord<byte[], byte[]> record : batch.records()) {
            suspects.merge(
                    Batch.partitionOf(record),
                    new Range(record.offset(), record.offset()),
                    (a, b) -> new Range(a.first(), b.last()));
        }
        limit = Math.max(1, batch.records().size() / 2);
    }

    void committed(Batch batch) {
        if (suspects.isEmpty() && attempts.isEmpty()) {
            return;
        }
        batch.next().forEach((partition, next) -> {
            suspects.computeIfPresent(
                    partition,
                    (p, range) -> range.last() < next.offset()
                            ? null
                            : new Range(Math.max(range.first(), next.offset()), range.last()));
            attempts.computeIfPresent(partition, (p, a) -> a.offset() < next.offset() ? null : a);
        });
        if (suspects.isEmpty()) {
            limit = Integer.MAX_VALUE;
        }
    }

    /** Whoever owns these partitions next counts for himself. */
    void forget(Collection<TopicPartition> partitions) {
        suspects.keySet().removeAll(partitions);
        attempts.keySet().removeAll(partitions);
        if (suspects.isEmpty()) {
            limit = Integer.MAX_VALUE;
        }
    }

    /** {@return how often the record has been tried} */
    int attempts(ConsumerRecord<byte[], byte[]> record) {
        Attempts a = attempts.get(Batch.partitionOf(record));
        return a != null && a.offset() == record.offset() ? a.count() : 0;
    }

    private @Nullable TxnError exhausted(ConsumerRecord<byte[], byte[]> record) {
        Attempts a = attempts.get(Batch.partitionOf(record));
        return a != null && a.offset() == record.offset() && a.count() >= maxAttempts ? a.error() : null;
    }

    private static void split(
            List<ConsumerRecord<byte[], byte[]>> records,
            @Nullable Range range,
            List<ConsumerRecord<byte[], byte[]>> clean,
            List<ConsumerRecord<byte[], byte[]>> suspicious) {
        if (range == null) {
            clean.addAll(records);
            return;
        }
        boolean atRange = records.get(0).offset() >= range.first();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.offset() < range.first()) {
                clean.add(record);
            } else if (atRange && record.offset() <= range.last()) {
                suspicious.add(record);
            }
        }
    }
}
