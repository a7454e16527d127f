package io.github.kafkatxn.processor;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What a lane reads, and what it knows about it: where it stands, what is at fault, which topics these are. */
final class LaneInput implements ConsumerRebalanceListener {
    private final InputConsumer consumer;
    private final Isolation isolation;
    private final PassedPositions passed = new PassedPositions();
    private final TopicWatch watch;

    LaneInput(LaneContext lane, InputTopics topics) {
        ProcessorSettings settings = lane.settings();
        this.isolation = new Isolation(settings.maxAttempts());
        this.watch = new TopicWatch(lane.name(), topics);
        this.consumer =
                new InputConsumer(lane.name(), settings.consumerProperties(lane.index()), settings.inputTopics(), this);
    }

    InputConsumer consumer() {
        return consumer;
    }

    Isolation isolation() {
        return isolation;
    }

    PassedPositions passed() {
        return passed;
    }

    TopicWatch watch() {
        return watch;
    }

    /** {@return what to do in the next transaction, or null if there is nothing to do} */
    @Nullable
    Batch next(Duration timeout) {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(timeout);
        passed.polled(polled);
        if (polled.count() == 0) {
            return passed.areDue(polled) ? Batch.ofOffsets(passed.alone()) : null;
        }
        if (!watch.knowsTopics() || watch.isRecreated(polled.partitions())) {
            goBackTo(Batch.of(polled).start());
            return null;
        }
        return isolation.next(polled);
    }

    /** The batch and everything that was passed is committed. */
    void committed(Batch batch) {
        isolation.committed(batch);
        passed.committed();
        if (!batch.resume().isEmpty()) {
            consumer.moveTo(batch.resume());
        }
    }

    /**
     * Goes back to what is not committed; topics that are other ones now are begun at their start.
     *
     * @return where partitions go on from
     */
    Map<TopicPartition, Long> goBackTo(Map<TopicPartition, OffsetAndMetadata> positions) {
        Map<TopicPartition, OffsetAndMetadata> same = new HashMap<>(positions);
        Set<TopicPartition> others = watch.takeRecreated(consumer.assignment());
        if (!others.isEmpty()) {
            same.keySet().removeAll(others);
            isolation.forget(others);
            passed.forget(others);
            consumer.startOver(others);
        }
        return consumer.moveTo(same);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        watch.assigned(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        passed.forget(partitions);
    }
}
