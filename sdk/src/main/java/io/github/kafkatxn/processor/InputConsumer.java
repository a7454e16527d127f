package io.github.kafkatxn.processor;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The input of a lane: a consumer whose positions follow what is committed, and never its own commits.
 *
 * <p>A batch belongs to the assignment it was polled under. Rebalances happen inside poll only, so that none meets an
 * open transaction; but a member can be thrown out at any time (it did not poll for too long), and its metadata then
 * turns into that of nobody in particular, which a broker accepts. {@link #stillOwns} is what tells.
 */
final class InputConsumer {
    private static final Logger LOG = LoggerFactory.getLogger(ExactlyOnceProcessor.class);

    private final String name;
    private final Consumer<byte[], byte[]> consumer;

    /** Where partitions go on from, instead of where the consumer stands; null is the first offset there is. */
    private final Map<TopicPartition, @Nullable OffsetAndMetadata> moves = new HashMap<>();

    private ConsumerGroupMetadata polledAs;
    private long polledSince = System.nanoTime();

    /**
     * Subscribes; connects in the first poll.
     *
     * @param name for logs
     * @param consumer closed with this, and if it cannot subscribe
     * @param topics the input
     * @param listener told about partitions that come and go, within {@link #poll}
     */
    InputConsumer(
            String name, Consumer<byte[], byte[]> consumer, List<String> topics, ConsumerRebalanceListener listener) {
        this.name = name;
        this.consumer = consumer;
        try {
            this.consumer.subscribe(topics, new Rebalances(listener));
            this.polledAs = consumer.groupMetadata();
        } catch (RuntimeException e) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            throw e;
        }
    }

    /**
     * Polls, from where partitions were moved to. If that throws, what was to be moved is still to be moved: nothing is
     * ever polled from a position that is not right.
     */
    ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        move();
        polledSince = System.nanoTime();
        ConsumerRecords<byte[], byte[]> records = consumer.poll(timeout);
        polledAs = consumer.groupMetadata();
        return records;
    }

    /** {@return when the last poll began, in {@link System#nanoTime()}: the group waits from then on, or from later} */
    long polledSince() {
        return polledSince;
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

    /** {@return the partitions that are this member's, as far as it knows} */
    Set<TopicPartition> assignment() {
        return consumer.assignment();
    }

    /**
     * Moves partitions to where they go on from in the next poll; what was fetched behind is dropped. Those that are
     * not this member's any more are their next owner's business. Does not block.
     *
     * @return what is moved
     */
    Map<TopicPartition, Long> moveTo(Map<TopicPartition, OffsetAndMetadata> positions) {
        Map<TopicPartition, OffsetAndMetadata> owned = new HashMap<>(positions);
        owned.keySet().retainAll(consumer.assignment());
        moves.putAll(owned);
        Map<TopicPartition, Long> moved = new HashMap<>();
        owned.forEach((partition, position) -> moved.put(partition, position.offset()));
        return moved;
    }

    /** Goes on from the first offset there is, in the next poll. */
    void startOver(Collection<TopicPartition> partitions) {
        partitions.forEach(partition -> moves.put(partition, null));
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

    /** Ends a poll from another thread. */
    void wakeup() {
        consumer.wakeup();
    }

    void close(Duration timeout) {
        consumer.close(CloseOptions.timeout(timeout));
    }

    private void move() {
        if (moves.isEmpty()) {
            return;
        }
        moves.keySet().retainAll(consumer.assignment());
        for (TopicPartition partition : Set.copyOf(moves.keySet())) {
            OffsetAndMetadata position = moves.get(partition);
            try {
                if (position == null) {
                    consumer.seekToBeginning(Set.of(partition));
                } else {
                    consumer.seek(partition, position);
                }
            } catch (IllegalStateException e) {
                LOG.warn("{}: {} went away; its next owner starts from the committed offset", name, partition, e);
            }
            moves.remove(partition);
        }
    }

    private final class Rebalances implements ConsumerRebalanceListener {
        private final ConsumerRebalanceListener listener;

        Rebalances(ConsumerRebalanceListener listener) {
            this.listener = listener;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            LOG.info("{}: assigned {}", name, partitions);
            listener.onPartitionsAssigned(partitions);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            LOG.info("{}: revoked {}", name, partitions);
            moves.keySet().removeAll(partitions);
            listener.onPartitionsRevoked(partitions);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            LOG.warn("{}: lost {}", name, partitions);
            moves.keySet().removeAll(partitions);
            listener.onPartitionsLost(partitions);
        }
    }
}
