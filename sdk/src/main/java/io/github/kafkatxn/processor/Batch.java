package io.github.kafkatxn.processor;

import io.github.kafkatxn.result.TxnError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What goes into one transaction: some or all records of a poll, in their order, and the offsets that say so. Records
 * of a share group have no such offsets.
 *
 * @param polled everything the poll returned
 * @param records those that are processed now: in each partition the first ones
 * @param start where each polled partition goes back to if this is not committed
 * @param next what is committed with the records
 * @param resume where the partitions go on from, after the commit, that are not processed to their end now
 * @param careful each output is delivered before the next one is sent, so that it is known which one is refused
 * @param deadLetter why the one record of the batch is dead-lettered instead of processed, or null
 */
record Batch(
        ConsumerRecords<byte[], byte[]> polled,
        List<ConsumerRecord<byte[], byte[]>> records,
        Map<TopicPartition, OffsetAndMetadata> start,
        Map<TopicPartition, OffsetAndMetadata> next,
        Map<TopicPartition, OffsetAndMetadata> resume,
        boolean careful,
        @Nullable TxnError deadLetter) {

    /**
     * A batch of everything that was polled. Per partition, not per record: this is the hot path.
     *
     * @param polled everything the poll returned
     */
    static Batch of(ConsumerRecords<byte[], byte[]> polled) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>(polled.count());
        Map<TopicPartition, ConsumerRecord<byte[], byte[]>> last = new HashMap<>();
        for (TopicPartition partition : polled.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> records = polled.records(partition);
            if (!records.isEmpty()) {
                all.addAll(records);
                last.put(partition, records.get(records.size() - 1));
            }
        }
        return of(polled, all, last);
    }

    /**
     * A batch of chosen records.
     *
     * @param polled everything the poll returned
     * @param chosen of each partition the first ones, in order
     */
    static Batch of(ConsumerRecords<byte[], byte[]> polled, List<ConsumerRecord<byte[], byte[]>> chosen) {
        Map<TopicPartition, ConsumerRecord<byte[], byte[]>> last = new HashMap<>();
        chosen.forEach(record -> last.put(partitionOf(record), record));
        return of(polled, chosen, last);
    }

    private static Batch of(
            ConsumerRecords<byte[], byte[]> polled,
            List<ConsumerRecord<byte[], byte[]>> chosen,
            Map<TopicPartition, ConsumerRecord<byte[], byte[]>> last) {
        Map<TopicPartition, OffsetAndMetadata> start = new HashMap<>();
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        Map<TopicPartition, OffsetAndMetadata> resume = new HashMap<>();
        // Behind the markers and aborted records that follow the last record. Empty if an interceptor rebuilt the poll.
        Map<TopicPartition, OffsetAndMetadata> nextOffsets = polled.nextOffsets();
        for (TopicPartition partition : polled.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> records = polled.records(partition);
            // An interceptor may have left nothing of it.
            if (records.isEmpty()) {
                continue;
            }
            ConsumerRecord<byte[], byte[]> first = records.get(0);
            start.put(partition, at(first.offset(), first));
            ConsumerRecord<byte[], byte[]> lastChosen = last.get(partition);
            if (lastChosen == null) {
                resume.put(partition, at(first.offset(), first));
                continue;
            }
            OffsetAndMetadata behind = at(lastChosen.offset() + 1, lastChosen);
            if (lastChosen == records.get(records.size() - 1)) {
                next.put(partition, nextOffsets.getOrDefault(partition, behind));
            } else {
                next.put(partition, behind);
                resume.put(partition, behind);
            }
        }
        return new Batch(polled, chosen, start, next, resume, false, null);
    }

    /** Records that stand each for itself, without positions: of a share group. */
    static Batch ofRecords(List<ConsumerRecord<byte[], byte[]>> records) {
        return new Batch(ConsumerRecords.empty(), records, Map.of(), Map.of(), Map.of(), false, null);
    }

    /** Only offsets: positions that have moved past markers and aborted records. */
    static Batch ofOffsets(Map<TopicPartition, OffsetAndMetadata> next) {
        return new Batch(ConsumerRecords.empty(), List.of(), Map.of(), Map.copyOf(next), Map.of(), false, null);
    }

    /** {@return the first records of this batch; the rest is for a later one} */
    Batch take(int count) {
        Batch part = of(polled, records.subList(0, count));
        return careful ? part.carefully() : part;
    }

    Batch carefully() {
        return new Batch(polled, records, start, next, resume, true, deadLetter);
    }

    Batch asDeadLetter(TxnError why) {
        return new Batch(polled, records, start, next, resume, careful, why);
    }

    static TopicPartition partitionOf(ConsumerRecord<?, ?> record) {
        return new TopicPartition(record.topic(), record.partition());
    }

    private static OffsetAndMetadata at(long offset, ConsumerRecord<?, ?> record) {
        Optional<Integer> epoch = record.leaderEpoch();
        return new OffsetAndMetadata(offset, epoch, "");
    }
}
