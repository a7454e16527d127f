package io.github.kafkatxn.producer;

import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.producer.TransactionListener.OffsetsPath;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** Puts input offsets into the open transaction. */
interface OffsetsSender {

    /**
     * Sends the offsets and waits for the answer; everything sent before has been flushed.
     *
     * @param offsets at least one
     * @param group the consumer's group metadata
     * @param topicIds the ids of the topics that the offsets are of, as far as the caller knows them
     * @param deadline when to give up
     * @return how they went
     * @throws RuntimeException what the client or the broker refused it with
     */
    OffsetsPath send(
            Map<TopicPartition, OffsetAndMetadata> offsets,
            ConsumerGroupMetadata group,
            Map<String, Uuid> topicIds,
            Deadline deadline);

    /**
     * Whether the client goes on sending the offsets, ahead of everything else, an abort included.
     *
     * @param failure what the last call threw
     * @return whether it does
     */
    boolean holdsUpAbort(RuntimeException failure);

    /**
     * Ends a call that is under way, and what it is made with; from any thread.
     *
     * @param deadline when to stop waiting for that
     */
    void close(Deadline deadline);
}
