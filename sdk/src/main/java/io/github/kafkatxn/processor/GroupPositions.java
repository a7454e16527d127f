package io.github.kafkatxn.processor;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Where a lane stands in the partitions of a consumer group, and what it knows about them: what is at fault, which
 * topics these are.
 */
final class GroupPositions implements ConsumerRebalanceListener {
    private final InputConsumer consumer;
    private final Isolation isolation;
    private final PassedPositions passed = new PassedPositions();
    private final TopicWatch watch;
    private final Duration callTimeout;
    private final boolean readsFromTheStart;

    GroupPositions(LaneContext lane, InputTopics topics) {
        ProcessorSettings settings = lane.settings();
        Map<String, Object> properties = settings.consumerProperties(lane.index());
        this.isolation = new Isolation(settings.maxAttempts());
        this.watch = new TopicWatch(lane.name(), topics, lane.stop());
        this.callTimeout = settings.producer().callTimeout();
        this.readsFromTheStart = "earliest".equals(properties.get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG));
        Consumer<byte[], byte[]> kafka =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.consumer = new InputConsumer(lane.name(), kafka, settings.inputTopics(), this);
    }

    InputConsumer consumer() {
        return consumer;
    }

    Isolation isolation() {
        return isolation;
    }

    TopicWatch watch() {
        return watch;
    }

    /** {@return what to do in the next transaction, or null if there is nothing to do} */
    @Nullable
    Batch next(Duration timeout) {
        locate();
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(timeout);
        passed.polled(polled);
        passed.forget(watch.unknown());
        isolation.forget(watch.takeExchanged());
        boolean isOfUnknown = !Collections.disjoint(polled.partitions(), watch.unknown());
        if (isOfUnknown || watch.isRecreated(polled.partitions())) {
            goBackTo(Batch.of(polled).start());
            return null;
        }
        if (polled.count() == 0) {
            return passed.areDue(polled) ? Batch.ofOffsets(passed.alone()) : null;
        }
        return isolation.next(polled);
    }

    /** {@return what is committed with a batch: its offsets, and positions that were passed without a record} */
    Map<TopicPartition, OffsetAndMetadata> offsets(Batch batch) {
        return passed.with(batch.next());
    }

    /** The batch and everything that was passed is committed. */
    void committed(Batch batch) {
        watch.confirmed(offsets(batch).keySet());
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
        Set<TopicPartition> others = watch.takeRecreated();
        same.keySet().removeAll(others);
        isolation.forget(others);
        passed.forget(others);
        // There is nothing to commit them for, and the rest must not wait for it.
        passed.forget(watch.gone(consumer.assignment()));
        consumer.startOver(others);
        return consumer.moveTo(same);
    }

    /**
     * Partitions whose topics have become known only after they were assigned: what was committed is asked for again,
     * because the position can be that of a topic before.
     */
    private void locate() {
        if (watch.unknown().isEmpty()) {
            return;
        }
        Set<TopicPartition> learned = watch.learn();
        if (learned.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> committed;
        try {
            committed = consumer.committed(learned, callTimeout);
        } catch (RuntimeException e) {
            watch.unlearn(learned);
            throw e;
        }
        consumer.moveTo(committed);
        Set<TopicPartition> exchanged = watch.takeExchanged();
        isolation.forget(exchanged);
        Set<TopicPartition> fresh = new HashSet<>(readsFromTheStart ? learned : exchanged);
        fresh.retainAll(learned);
        fresh.removeAll(committed.keySet());
        consumer.startOver(fresh);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        watch.assigned(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        watch.released(partitions);
        passed.forget(partitions);
    }
}
