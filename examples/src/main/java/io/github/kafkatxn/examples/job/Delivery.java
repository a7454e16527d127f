package io.github.kafkatxn.examples.job;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A record in the hands of an instance.
 *
 * @param partition where the record comes from
 * @param offset of the record
 * @param count how often it was delivered by then; 1 in a consumer group, which does not count
 */
record Delivery(TopicPartition partition, long offset, int count) {

    static Delivery of(ConsumerRecord<?, ?> record) {
        return new Delivery(
                new TopicPartition(record.topic(), record.partition()),
                record.offset(),
                record.deliveryCount().orElse((short) 1));
    }

    /** Whether that is the same record, delivered later. */
    boolean isBefore(Delivery other) {
        return partition.equals(other.partition) && offset == other.offset && count < other.count;
    }

    /** What {@link #toString()} has written. */
    static Delivery parse(String line) {
        String[] words = line.split(" ", -1);
        return new Delivery(
                new TopicPartition(words[0], Integer.parseInt(words[1])),
                Long.parseLong(words[2]),
                Integer.parseInt(words[3]));
    }

    @Override
    public String toString() {
        return partition.topic() + " " + partition.partition() + " " + offset + " " + count;
    }
}
