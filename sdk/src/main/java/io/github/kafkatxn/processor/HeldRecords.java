package io.github.kafkatxn.processor;

import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.share.TransactionalShareConsumer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records that a lane of a share group has acquired and not done, and the consumer it has them from. Belongs to the
 * lane's thread, {@link #wakeup} apart.
 */
final class HeldRecords {
    private static final Logger LOG = LoggerFactory.getLogger(ShareProcessor.class);
    private static final int USUAL_LOCK_MILLIS = 30_000;

    private final LaneContext lane;
    private final TransactionalShareConsumer<byte[], byte[]> consumer;
    private final Duration callTimeout;
    private final Object polls = new Object();
    private Map<RecordId, ConsumerRecord<byte[], byte[]>> records = new LinkedHashMap<>();
    private boolean polling;

    /** Nothing has been asked of the leaders since these records came: none of them can come a second time. */
    private boolean fresh;

    private long polledSince = System.nanoTime();
    private long lockedSince = polledSince;
    private long lockNanos;

    /** Subscribes; connects in the first poll. */
    HeldRecords(LaneContext lane) {
        this.lane = lane;
        this.callTimeout = lane.settings().producer().callTimeout();
        this.consumer = TransactionalShareConsumer.create(
                lane.settings().consumerProperties(lane.index()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        try {
            consumer.subscribe(lane.settings().inputTopics());
        } catch (RuntimeException e) {
            consumer.close(Duration.ZERO);
            throw e;
        }
    }

    TransactionalShareConsumer<byte[], byte[]> consumer() {
        return consumer;
    }

    boolean isEmpty() {
        return records.isEmpty();
    }

    /** {@return them, in the order in which they came} */
    Collection<ConsumerRecord<byte[], byte[]>> records() {
        return records.values();
    }

    boolean has(RecordId record) {
        return records.containsKey(record);
    }

    void remove(RecordId record) {
        records.remove(record);
    }

    /** {@return when the last poll began, in {@link System#nanoTime()}} */
    long polledSince() {
        return polledSince;
    }

    /** {@return whether so much of the time of the locks has passed that they have to be renewed} */
    boolean areDue(long now, int partOfLock) {
        return now - lockedSince > lockNanos / partOfLock;
    }

    /** Polls; every record that is held has to be acknowledged. */
    void poll(Duration timeout) {
        polledSince = System.nanoTime();
        if (records.isEmpty()) {
            lockedSince = polledSince;
            fresh = true;
        }
        synchronized (polls) {
            polling = true;
        }
        try {
            consumer.poll(timeout).forEach(record -> records.put(RecordId.of(record), record));
        } finally {
            synchronized (polls) {
                polling = false;
            }
        }
        lockNanos = Duration.ofMillis(consumer.acquisitionLockTimeoutMs().orElse(USUAL_LOCK_MILLIS))
                .toNanos();
    }

    /**
     * Lets the client fetch what comes next, and does not wait for it; legal once all that is held has been drained.
     * What is wrong is told by the next poll.
     *
     * <p>Not for records that are tried again, or were renewed: if their locks run out, a fetch that is still under way
     * brings them once more, beside themselves.
     */
    void fetchAhead() {
        if (!fresh) {
            return;
        }
        try {
            poll(Duration.ZERO);
        } catch (KafkaException e) {
            LOG.debug("{}: nothing fetched ahead", lane.name(), e);
        }
    }

    /** They are tried again. */
    void triedAgain() {
        fresh = false;
    }

    int size() {
        return records.size();
    }

    /** Ends a poll, from another thread; a commit goes on, because its answer is wanted. */
    void wakeup() {
        synchronized (polls) {
            if (polling) {
                consumer.wakeup();
            }
        }
    }

    /** Says what becomes of records, which is not sent yet. */
    void acknowledge(Collection<ConsumerRecord<byte[], byte[]>> some, AcknowledgeType type) {
        some.forEach(record -> consumer.acknowledge(record, type));
    }

    /**
     * Sends what has been acknowledged, outside of transactions.
     *
     * @return why some of it was refused, or is not known to have been taken; null if all was taken
     */
    @Nullable
    TxnError send() {
        Map<TopicPartition, KafkaException> refused = new HashMap<>();
        try {
            consumer.commitSync(callTimeout)
                    .forEach(
                            (partition, error) -> error.ifPresent(why -> refused.put(partition.topicPartition(), why)));
        } catch (InterruptException e) {
            lane.stop().request();
            return ShareInput.refusal(e);
        } catch (KafkaException e) {
            return ShareInput.refusal(e);
        }
        return refused.isEmpty()
                ? null
                : ShareInput.refusal(refused.values().iterator().next()).withPartitions(Map.copyOf(refused));
    }

    /**
     * Renews the locks of all. Does not throw: what cannot be renewed is not held any more.
     *
     * @return those that are not held any more: somebody else may have them
     */
    Set<RecordId> renew() {
        long start = System.nanoTime();
        Map<RecordId, ConsumerRecord<byte[], byte[]>> before = records;
        records = new LinkedHashMap<>();
        try {
            acknowledge(before.values(), AcknowledgeType.RENEW);
            TxnError refused = send();
            if (refused != null) {
                LOG.warn("{}: not all locks could be renewed: {}", lane.name(), refused.message());
            }
            if (refused == null || before.keySet().stream().anyMatch(record -> isOther(record, refused))) {
                // The client gives them out once more.
                poll(lane.settings().pollTimeout());
            }
        } catch (InterruptException e) {
            lane.stop().request();
        } catch (KafkaException e) {
            LOG.warn("{}: {} records are not held any more, their locks run out", lane.name(), before.size(), e);
        }
        lockedSince = start;
        fresh = false;
        Set<RecordId> lost = new HashSet<>(before.keySet());
        lost.removeAll(records.keySet());
        return lost;
    }

    private static boolean isOther(RecordId record, TxnError refused) {
        return !refused.partitions().isEmpty() && !refused.partitions().containsKey(record.partition());
    }
}
