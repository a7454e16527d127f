package io.github.kafkatxn.processor;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Positions that moved past markers and aborted records without giving a record. They are committed with the next
 * batch, whatever its records, or on their own once there is none: else the lag would not reach zero. Until then they
 * survive batches that fail.
 */
final class PassedPositions {
    /** Input that is aborted without end never leaves the lane idle. */
    private static final int POLLS_WITHOUT_RECORDS = 10;

    private final Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
    private int withoutRecords;

    /** Notes what a poll moved past; what it has records of is committed with those. */
    void polled(ConsumerRecords<?, ?> polled) {
        polled.nextOffsets().forEach((partition, next) -> {
            if (polled.records(partition).isEmpty()) {
                positions.put(partition, next);
            }
        });
        if (!positions.isEmpty()) {
            positions.keySet().removeIf(partition -> !polled.records(partition).isEmpty());
            withoutRecords++;
        }
    }

    /** {@return whether to commit them on their own, after a poll that gave no record} */
    boolean areDue(ConsumerRecords<?, ?> polled) {
        return !positions.isEmpty() && (polled.nextOffsets().isEmpty() || withoutRecords >= POLLS_WITHOUT_RECORDS);
    }

    /** {@return the positions alone} */
    Map<TopicPartition, OffsetAndMetadata> alone() {
        return Map.copyOf(positions);
    }

    /** {@return what is committed with a batch} */
    Map<TopicPartition, OffsetAndMetadata> with(Map<TopicPartition, OffsetAndMetadata> next) {
        if (positions.isEmpty()) {
            return next;
        }
        Map<TopicPartition, OffsetAndMetadata> all = new HashMap<>(positions);
        all.putAll(next);
        return all;
    }

    /** All of them are committed. */
    void committed() {
        positions.clear();
        withoutRecords = 0;
    }

    /** These partitions are somebody else's, or have other records now. */
    void forget(Collection<TopicPartition> partitions) {
        positions.keySet().removeAll(partitions);
    }
}
