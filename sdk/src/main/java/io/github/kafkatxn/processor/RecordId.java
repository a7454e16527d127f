package io.github.kafkatxn.processor;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Which record, for those that come in no order. */
record RecordId(TopicPartition partition, long offset) {

    static RecordId of(ConsumerRecord<?, ?> record) {
        return new RecordId(Batch.partitionOf(record), record.offset());
    }
}
