package io.github.kafkatxn.examples.job;

import org.apache.kafka.common.TopicPartition;

/**
 * Where a lane stands still in mid-transaction.
 *
 * @param transactionalId of its transaction
 * @param partition where the record comes from at which it stands
 * @param offset of the record
 */
record Held(String transactionalId, TopicPartition partition, long offset) {

    String toLine() {
        return transactionalId + " " + partition.topic() + " " + partition.partition() + " " + offset;
    }

    /** What {@link #toLine()} has written. */
    static Held parse(String line) {
        String[] words = line.split(" ", -1);
        return new Held(words[0], new TopicPartition(words[1], Integer.parseInt(words[2])), Long.parseLong(words[3]));
    }
}
