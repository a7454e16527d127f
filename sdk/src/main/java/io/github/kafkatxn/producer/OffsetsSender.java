package io.github.kafkatxn.producer;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Puts input offsets into the open transaction. */
interface OffsetsSender {

    /**
     * Sends the offsets and waits for the answer; everything sent before has been flushed.
     *
     * @param offsets at least one
     * @param group the consumer's group metadata
     * @throws RuntimeException what the client or the broker refused it with
     */
    void send(Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group);
}
