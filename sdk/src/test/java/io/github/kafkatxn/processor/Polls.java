package io.github.kafkatxn.processor;

import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** What polls return, by hand. */
final class Polls {
    static final TopicPartition A = new TopicPartition("in", 0);
    static final TopicPartition B = new TopicPartition("in", 1);
    static final TopicPartition C = new TopicPartition("in", 2);

    private Polls() {}

    static ConsumerRecord<byte[], byte[]> record(TopicPartition partition, long offset) {
        return new ConsumerRecord<>(partition.topic(), partition.partition(), offset, new byte[] {1}, new byte[] {2});
    }

    static ConsumerRecord<byte[], byte[]> record(TopicPartition partition, long offset, int leaderEpoch) {
        return record(partition, offset, Optional.of(leaderEpoch), Optional.empty());
    }

    /** {@return a record of a share group} */
    static ConsumerRecord<byte[], byte[]> delivered(TopicPartition partition, long offset, short deliveries) {
        return record(partition, offset, Optional.empty(), Optional.of(deliveries));
    }

    private static ConsumerRecord<byte[], byte[]> record(
            TopicPartition partition, long offset, Optional<Integer> leaderEpoch, Optional<Short> deliveries) {
        return new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                offset,
                7L,
                TimestampType.CREATE_TIME,
                1,
                1,
                new byte[] {1},
                new byte[] {2},
                new RecordHeaders(),
                leaderEpoch,
                deliveries);
    }

    /** {@return records of one partition, without a gap} */
    static List<ConsumerRecord<byte[], byte[]>> range(TopicPartition partition, long first, long last) {
        return LongStream.rangeClosed(first, last)
                .mapToObj(offset -> record(partition, offset))
                .toList();
    }

    /** {@return a poll of one partition, without a gap} */
    static ConsumerRecords<byte[], byte[]> poll(TopicPartition partition, long first, long last) {
        return poll(range(partition, first, last));
    }

    /** {@return a poll; nothing lies between a last record and the next one} */
    static ConsumerRecords<byte[], byte[]> poll(List<ConsumerRecord<byte[], byte[]>> records) {
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        records.forEach(record -> next.put(Batch.partitionOf(record), new OffsetAndMetadata(record.offset() + 1)));
        return poll(records, next);
    }

    static ConsumerRecords<byte[], byte[]> poll(
            List<ConsumerRecord<byte[], byte[]>> records, Map<TopicPartition, OffsetAndMetadata> next) {
        Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> perPartition = new LinkedHashMap<>();
        records.forEach(record -> perPartition
                .computeIfAbsent(Batch.partitionOf(record), partition -> new ArrayList<>())
                .add(record));
        return new ConsumerRecords<>(perPartition, next);
    }

    @SafeVarargs
    static List<ConsumerRecord<byte[], byte[]>> all(List<ConsumerRecord<byte[], byte[]>>... parts) {
        List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
        for (List<ConsumerRecord<byte[], byte[]>> part : parts) {
            all.addAll(part);
        }
        return all;
    }

    /** {@return what a test compares: {@code 0@17} is offset 17 of partition 0} */
    static List<String> names(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.stream().map(Polls::name).toList();
    }

    static String name(ConsumerRecord<?, ?> record) {
        return record.partition() + "@" + record.offset();
    }

    static Map<TopicPartition, Long> offsets(Map<TopicPartition, OffsetAndMetadata> positions) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        positions.forEach((partition, position) -> offsets.put(partition, position.offset()));
        return offsets;
    }

    /** {@return a failure of the record} */
    static TxnError error(String message) {
        return failure(Operation.TRANSFORM, new IllegalArgumentException(message));
    }

    static TxnError failure(Operation operation, Throwable cause) {
        return ErrorClassifier.classify(operation, cause, Condition.USABLE);
    }
}
