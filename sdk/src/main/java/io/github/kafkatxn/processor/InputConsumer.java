package io.github.kafkatxn.processor;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The input of a lane: a consumer whose positions follow what is committed, and never its own commits.
 *
 * <p>A batch belongs to the assignment it was polled under. Rebalances happen inside poll only, so that none meets an
 * open transaction; but a member can be thrown out at any time (it did not poll for too long), and its metadata then
 * turns into that of nobody in particular, which a broker accepts. {@link #stillOwns} is what tells.
 */
final class InputConsumer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ExactlyOnceProcessor.class);

    private final String name;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private ConsumerGroupMetadata polledAs;

    /** @param gone told about partitions that went to somebody else */
    InputConsumer(
            String name,
            Map<String, Object> properties,
            List<String> topics,
            Consumer<Collection<TopicPartition>> gone) {
        this.name = name;
        this.consumer = new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.consumer.subscribe(topics, new Rebalances(gone));
        this.polledAs = consumer.groupMetadata();
    }

    ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(timeout);
        polledAs = consumer.groupMetadata();
        return records;
    }

    ConsumerGroupMetadata groupMetadata() {
        return consumer.groupMetadata();
    }

    /** {@return whether this is still the member that polled, with all these partitions} */
    boolean stillOwns(ConsumerGroupMetadata now, Set<TopicPartition> partitions) {
        return now.memberId().equals(polledAs.memberId())
                && now.generationId() >= polledAs.generationId()
                && now.generationId() >= 0
                && consumer.assignment().containsAll(partitions);
    }

    /** Drops the partitions that are not this member's any more. */
    void retainAssigned(Map<TopicPartition, ?> partitions) {
        partitions.keySet().retainAll(consumer.assignment());
    }

    /**
     * Moves partitions to where they go on from, and drops what was fetched behind; those that are not this member's
     * any more are their next owner's business.
     *
     * @return what was moved
     */
    Map<TopicPartition, Long> moveTo(Map<TopicPartition, OffsetAndMetadata> positions) {
        Map<TopicPartition, Long> moved = new HashMap<>();
        Set<TopicPartition> assigned = consumer.assignment();
        positions.forEach((partition, position) -> {
            if (assigned.contains(partition)) {
                try {
                    consumer.seek(partition, position);
                    moved.put(partition, position.offset());
                } catch (IllegalStateException e) {
                    LOG.warn(
                            "{}: {} could not be moved to {}, its next owner starts from the committed offset",
                            name,
                            partition,
                            position.offset(),
                            e);
                }
            }
        });
        return moved;
    }

    /**
     * Asks the broker for the committed offsets, of partitions that are still this member's. Waits for transactions in
     * between to end.
     */
    Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions, Duration timeout) {
        Map<TopicPartition, OffsetAndMetadata> committed = new HashMap<>(consumer.committed(partitions, timeout));
        committed.values().removeIf(offset -> offset == null);
        return committed;
    }

    /** Goes on from the first offset there is. */
    void startOver(Set<TopicPartition> partitions) {
        consumer.seekToBeginning(partitions);
    }

    /** Ends a poll from another thread. */
    void wakeup() {
        consumer.wakeup();
    }

    void close(Duration timeout) {
        consumer.close(CloseOptions.timeout(timeout));
    }

    @Override
    public void close() {
        close(Duration.ofSeconds(10));
    }

    private final class Rebalances implements ConsumerRebalanceListener {
        private final Consumer<Collection<TopicPartition>> gone;

        Rebalances(Consumer<Collection<TopicPartition>> gone) {
            this.gone = gone;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            LOG.info("{}: assigned {}", name, partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            LOG.info("{}: revoked {}", name, partitions);
            gone.accept(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            LOG.warn("{}: lost {}", name, partitions);
            gone.accept(partitions);
        }
    }
}
