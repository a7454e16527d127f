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
 * <p>Per partition there are at most one <em>culprit</em>, a record that is known to have failed and is tried alone,
 * and one <em>range</em> of offsets, a failed batch of which half is tried next, until the record stands alone. What
 * lies before them is processed as usual, in turn with them, so that neither holds up the other.
 *
 * <p>Belongs to a lane; outlives its producers and the assignment of its partitions, for a record that takes so long
 * that it costs the membership must be counted too. What another member has processed meanwhile, or what is not in the
 * log any more, is dropped when the partition comes back at a later offset.
 */
final class Isolation {
    private record Range(long first, long last) {}

    private record Culprit(long offset, int attempts, TxnError error) {}

    private static final Comparator<TopicPartition> ORDER =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    private final int maxAttempts;
    private final Map<TopicPartition, Culprit> culprits = new TreeMap<>(ORDER);
    private final Map<TopicPartition, Range> ranges = new TreeMap<>(ORDER);
    private int limit;
    private boolean careful;
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
        List<ConsumerRecord<byte[], byte[]>> suspicious = new ArrayList<>();
        ConsumerRecord<byte[], byte[]> alone = null;
        for (TopicPartition partition : polled.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> records = polled.records(partition);
            if (records.isEmpty()) {
                continue;
            }
            dropWhatIsOver(partition, records.get(0).offset());
            Culprit culprit = culprits.get(partition);
            if (culprit != null && records.get(0).offset() == culprit.offset()) {
                alone = alone == null ? records.get(0) : alone;
            } else {
                split(records, culprit, ranges.get(partition), clean, suspicious);
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
        Batch half = Batch.of(polled, List.copyOf(suspicious.subList(0, Math.min(limit, suspicious.size()))));
        return careful ? half.carefully() : half;
    }

    /** This record failed. */
    void blame(ConsumerRecord<byte[], byte[]> record, TxnError error) {
        culprits.put(Batch.partitionOf(record), new Culprit(record.offset(), attempts(record) + 1, error));
    }

    /** Some record of this batch failed. */
    void blame(Batch batch, TxnError error) {
        if (batch.records().size() == 1) {
            blame(batch.records().get(0), error);
        } else {
            suspect(batch, Math.max(1, batch.records().size() / 2), false);
        }
    }

    /** Some record of this batch may have failed: which one is seen when each output is waited for. */
    void watch(Batch batch) {
        suspect(batch, batch.records().size(), true);
    }

    private void suspect(Batch batch, int size, boolean carefully) {
        limit = size;
        careful = carefully;
        ranges.clear();
        for (ConsumerRecord<byte[], byte[]> record : batch.records()) {
            ranges.merge(
                    Batch.partitionOf(record),
                    new Range(record.offset(), record.offset()),
                    (a, b) -> new Range(a.first(), b.last()));
        }
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

    /** {@return how often the record has been tried} */
    int attempts(ConsumerRecord<byte[], byte[]> record) {
        Culprit culprit = culprits.get(Batch.partitionOf(record));
        return culprit != null && culprit.offset() == record.offset() ? culprit.attempts() : 0;
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
                (p, range) ->
                        range.last() < position ? null : new Range(Math.max(range.first(), position), range.last()));
    }

    /** Takes the first records of a partition, up to the first one that has to be treated in another way. */
    private static void split(
            List<ConsumerRecord<byte[], byte[]>> records,
            @Nullable Culprit culprit,
            @Nullable Range range,
            List<ConsumerRecord<byte[], byte[]>> clean,
            List<ConsumerRecord<byte[], byte[]>> suspicious) {
        long end = culprit == null ? Long.MAX_VALUE : culprit.offset();
        boolean inRange = range != null && records.get(0).offset() >= range.first();
        if (range != null) {
            end = Math.min(end, inRange ? range.last() + 1 : range.first());
        }
        List<ConsumerRecord<byte[], byte[]>> target = inRange ? suspicious : clean;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            if (record.offset() >= end) {
                return;
            }
            target.add(record);
        }
    }
}
