package io.github.kafkatxn.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class InputConsumerTest {
    /** A consumer that is fenced takes a partition away on a thread of its own, when its listener has long returned. */
    @Test
    void aPartitionThatGoesAwayJustBeforeItIsMovedDoesNotEndTheLane() {
        MockConsumer<byte[], byte[]> kafka = new MockConsumer<>("earliest") {
            @Override
            public synchronized void seek(TopicPartition partition, OffsetAndMetadata position) {
                if (partition.equals(Polls.A)) {
                    throw new IllegalStateException("No current assignment for partition " + partition);
                }
                super.seek(partition, position);
            }
        };
        InputConsumer input = new InputConsumer("lane", kafka, List.of(Polls.A.topic()), new Unmoved());
        kafka.updateBeginningOffsets(Map.of(Polls.A, 0L, Polls.B, 0L));
        kafka.rebalance(Set.of(Polls.A, Polls.B));
        input.moveTo(Map.of(Polls.A, new OffsetAndMetadata(5), Polls.B, new OffsetAndMetadata(7)));

        assertThat(input.poll(Duration.ZERO)).isEmpty();

        assertThat(kafka.position(Polls.B)).isEqualTo(7);
        input.close(Duration.ZERO);
    }

    private static final class Unmoved implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            // Positions are the consumer's own.
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            // As before.
        }
    }
}
