package io.github.kafkatxn.processor;

import io.github.kafkatxn.result.TxnError;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Finds the record that makes batches fail, and counts how often it was tried.
 *
 * <p>Per partition there are at most one <em>culprit</em>, a record that is known to have failed and is tried alone,
 * and one <em>range</em> of offsets, a failed batch of which half is tried next, until the record stands alone. What
 * lies before them is processed as usual, in turn with them, so that neither holds up the other. What fails meanwhile
 * is searched for itself, so that no search begins again because another one does.
 *
 * <p>Belongs to a lane; outlives its producers and the assignment of its partitions, for a record that takes so long
 * that it costs the membership must be counted too. What another member has processed meanwhile, or what is not in the
 * log any more, is dropped when the partition comes back at a later offset.
 */
final class Isolation extends Suspicion {
    private record Range(long first, long last, Search search) {}

    private record Culprit(long offset, int attempts, TxnError error) {}

    private final int maxAttempts;
    private final Map<TopicPartition, Culprit> culprits = new HashMap<>();

    /** Those that failed last are last, so that searches take turns. */
    private final Map<TopicPartition, Range> ranges = new LinkedHashMap<>();

    private boolean suspectsAreNext;

    Isolation(int maxAttempts) {
        this.maxAttempts = maxAttempts;
    }

    /** {@return the next batch from what was polled; a dead letter if its one record has been tried often enough} */
    Batch next(ConsumerRecords<byte[], byte[]> polled) {
        if (culprits.isEmpty() && ranges.isEmpty()) {
            return Batch.of(polled);
        }
        List<ConsumerRecord<byte[], byte[]>> clean = new ArrayList<>(polled.count());
        Map<Search, List<ConsumerRecord<byte[], byte[]>>> suspicious = new HashMap<>();
        ConsumerRecord<byte[], byte[]> alone = null;
        for (TopicPartition partition : polled.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> records = polled.records(partition);
            if (records.isEmpty()) {
                continue;
            }
            dropWhatIsOver(partition, records.get(0).offset());
            Culprit culprit = culprits.get(partition);
            Range range = ranges.get(partition);
            if (culprit != null && records.get(0).offset() == culprit.offset()) {
                alone = alone == null ? records.get(0) : alone;
            } else if (range != null && records.get(0).offset() >= range.first()) {
                addUpTo(
                        end(culprit, range.last() + 1),
                        records,
                        suspicious.computeIfAbsent(range.search(), search -> new ArrayList<>()));
            } else {
                addUpTo(end(culprit, range == null ? Long.MAX_VALUE : range.first()), records, clean);
            }
        }
        boolean suspects = alone != null || !suspicious.isEmpty();
        if (!suspects || (!clean.isEmpty() && !suspectsAreNext)) {
            suspectsAreNext = true;
            return Batch.of(polled, clean);
        }
        suspectsAreNext = false;
        if (alone != null) {
            return alone(polled, alone);
        }
        return part(polled, suspicious);
    }

    @Override
    void blame(ConsumerRecord<byte[], byte[]> record, TxnError error) {
        culprits.put(Batch.partitionOf(record), new Culprit(record.offset(), attempts(record) + 1, error));
    }

    /** What else was suspicious with these records no longer is; other searches go on. */
    @Override
    void search(Batch batch, Search search) {
        Map<TopicPartition, Range> failed = new LinkedHashMap<>();
        for (ConsumerRecord<byte[], byte[]> record : batch.records()) {
            failed.merge(
                    Batch.partitionOf(record),
                    new Range(record.offset(), record.offset(), search),
                    (a, b) -> new Range(a.first(), b.last(), search));
        }
        Set<Search> over = new HashSet<>();
        for (TopicPartition partition : failed.keySet()) {
            Range range = ranges.get(partition);
            if (range != null) {
                over.add(range.search());
            }
        }
        ranges.values().removeIf(range -> over.contains(range.search()));
        ranges.putAll(failed);
    }

    void committed(Batch batch) {
        if (culprits.isEmpty() && ranges.isEmpty()) {
            return;
        }
        batch.next().forEach((partition, next) -> dropWhatIsOver(partition, next.offset()));
    }

    /** These partitions have other records now. */
    void forget(Collection<TopicPartition> partitions) {
        culprits.keySet().removeAll(partitions);
        ranges.keySet().removeAll(partitions);
    }

    @Override
    int attempts(ConsumerRecord<byte[], byte[]> record) {
        Culprit culprit = culprits.get(Batch.partitionOf(record));
        return culprit != null && culprit.offset() == record.offset() ? culprit.attempts() : 0;
    }

    /** {@return what is tried next of the search that has failed longest ago} */
    private Batch part(
            ConsumerRecords<byte[], byte[]> polled, Map<Search, List<ConsumerRecord<byte[], byte[]>>> suspicious) {
        for (Range range : ranges.values()) {
            Search search = range.search();
            List<ConsumerRecord<byte[], byte[]>> records = suspicious.get(search);
            if (records != null) {
                return search.of(Batch.of(
                        polled, List.copyOf(records.subList(0, Math.min(search.limit(), records.size())))));
            }
        }
        throw new IllegalStateException("suspicious records without a range");
    }

    private Batch alone(ConsumerRecords<byte[], byte[]> polled, ConsumerRecord<byte[], byte[]> record) {
        Batch batch = Batch.of(polled, List.of(record)).carefully();
        Culprit culprit = culprits.get(Batch.partitionOf(record));
        return culprit != null && culprit.attempts() >= maxAttempts ? batch.asDeadLetter(culprit.error()) : batch;
    }

    /** Of what lies before the position nothing will be seen again. */
    private void dropWhatIsOver(TopicPartition partition, long position) {
        culprits.computeIfPresent(partition, (p, culprit) -> culprit.offset() < position ? null : culprit);
        ranges.computeIfPresent(
                partition,
                (p, range) -> range.last() < position
                        ? null
                        : new Range(Math.max(range.first(), position), range.last(), range.search()));
    }

    /** {@return where the first records of a partition end that are treated in the same way} */
    private static long end(@Nullable Culprit culprit, long end) {
        return culprit == null ? end : Math.min(culprit.offset(), end);
    }

    private static void addUpTo(
            long end, List<ConsumerRecord<byte[], byte[]>> records, List<ConsumerRecord<byte[], byte[]>> target) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.offset() >= end) {
                return;
            }
            target.add(record);
        }
    }
}
