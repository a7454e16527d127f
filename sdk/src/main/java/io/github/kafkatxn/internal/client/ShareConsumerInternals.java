package io.github.kafkatxn.internal.client;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.clients.consumer.internals.NodeAcknowledgements;
import org.apache.kafka.clients.consumer.internals.ShareFetch;
import org.apache.kafka.clients.consumer.internals.ShareInFlightBatch;
import org.apache.kafka.clients.consumer.internals.ShareMembershipManager;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a {@link KafkaShareConsumer} that its API does not give: what was acknowledged and not sent, and who the
 * member is (KIP-1289).
 *
 * <p>Whether they are where they are expected, and do what they are expected to do, is looked at once, for each
 * consumer, when it is made. For the consumer's thread.
 *
 * @param <K> key type
 * @param <V> value type
 */
public final class ShareConsumerInternals<K, V> {
    private final Object delegate;
    private final Field currentFetch;
    private final ShareMembershipManager membership;

    private ShareConsumerInternals(ShareConsumer<K, V> consumer) throws ReflectiveOperationException {
        delegate = value(KafkaShareConsumer.class, "delegate", consumer);
        currentFetch = open(delegate.getClass(), "currentFetch");
        Object handler = value(delegate.getClass(), "applicationEventHandler", delegate);
        Object thread = value(handler.getClass(), "networkThread", handler);
        Object managers = value(thread.getClass(), "requestManagers", thread);
        Optional<?> found = (Optional<?>) value(managers.getClass(), "shareMembershipManager", managers);
        membership = (ShareMembershipManager) found.orElseThrow();
        Objects.requireNonNull(membership.memberId(), "memberId");
        fetch();
        rehearse();
    }

    /**
     * What was acknowledged of a partition.
     *
     * @param node the leader that the records came from
     * @param types of each offset; null for a gap
     * @param records those that are acknowledged, without the gaps
     * @param <K> key type
     * @param <V> value type
     */
    public record Taken<K, V>(
            int node, SortedMap<Long, @Nullable AcknowledgeType> types, List<ConsumerRecord<K, V>> records) {}

    /**
     * Looks whether the inside of a consumer is as expected.
     *
     * @param consumer in explicit mode
     * @param <K> key type
     * @param <V> value type
     * @return its inside
     * @throws UnsupportedVersionException if it is another one than expected, saying what is missing
     */
    public static <K, V> ShareConsumerInternals<K, V> of(ShareConsumer<K, V> consumer) {
        try {
            if (consumer instanceof KafkaShareConsumer) {
                return new ShareConsumerInternals<>(consumer);
            }
            throw unknown("it is a " + consumer.getClass().getName(), null);
        } catch (UnsupportedVersionException e) {
            throw e;
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            throw unknown(e.toString(), e);
        }
    }

    /** {@return what has been acknowledged since the last time; the consumer does not send it any more} */
    public Map<TopicIdPartition, Taken<K, V>> take() {
        return take(fetch());
    }

    /**
     * Makes records ones that have been polled and not been acknowledged.
     *
     * @param taken what {@link #take()} has returned
     * @throws IllegalStateException if one of them is so already
     */
    public void putBack(Map<TopicIdPartition, Taken<K, V>> taken) {
        ShareFetch<K, V> fetch = fetch();
        Map<TopicPartition, List<ConsumerRecord<K, V>>> inFlight = fetch.records();
        taken.forEach((partition, of) -> {
            List<ConsumerRecord<K, V>> there = inFlight.getOrDefault(partition.topicPartition(), List.of());
            if (!Collections.disjoint(offsets(there), offsets(of.records()))) {
                throw new IllegalStateException("records of " + partition.topicPartition() + " are back already");
            }
        });
        putBack(taken, fetch);
    }

    /** {@return the id of the member} */
    public String memberId() {
        return membership.memberId();
    }

    /** {@return the epoch of the member, as it knows it} */
    public int memberEpoch() {
        return membership.memberEpoch();
    }

    private static <K, V> Map<TopicIdPartition, Taken<K, V>> take(ShareFetch<K, V> fetch) {
        Map<TopicPartition, List<ConsumerRecord<K, V>>> inFlight = fetch.records();
        Map<TopicIdPartition, Taken<K, V>> all = new HashMap<>();
        for (Map.Entry<TopicIdPartition, NodeAcknowledgements> entry :
                fetch.takeAcknowledgedRecords().entrySet()) {
            SortedMap<Long, @Nullable AcknowledgeType> types =
                    new TreeMap<>(entry.getValue().acknowledgements().getAcknowledgementsTypeMap());
            List<ConsumerRecord<K, V>> records = new ArrayList<>();
            for (ConsumerRecord<K, V> record :
                    inFlight.getOrDefault(entry.getKey().topicPartition(), List.of())) {
                if (types.get(record.offset()) != null) {
                    records.add(record);
                }
            }
            all.put(entry.getKey(), new Taken<>(entry.getValue().nodeId(), types, records));
        }
        return all;
    }

    private static <K, V> void putBack(Map<TopicIdPartition, Taken<K, V>> taken, ShareFetch<K, V> fetch) {
        taken.forEach((partition, of) -> {
            ShareInFlightBatch<K, V> batch = new ShareInFlightBatch<>(of.node(), partition, Optional.empty());
            of.records().forEach(batch::addRecord);
            of.types().forEach((offset, type) -> {
                if (type == null) {
                    batch.addGap(offset);
                }
            });
            fetch.add(partition, batch);
        });
    }

    private static <K, V> List<Long> offsets(List<ConsumerRecord<K, V>> records) {
        return records.stream().map(ConsumerRecord::offset).toList();
    }

    /** Takes and puts back a record that nobody has polled: all of that is the inside of the client. */
    private static void rehearse() {
        ConsumerRecord<String, String> record = new ConsumerRecord<>("t", 0, 7, "", "");
        TopicIdPartition partition = new TopicIdPartition(Uuid.ONE_UUID, 0, "t");
        SortedMap<Long, @Nullable AcknowledgeType> types = new TreeMap<>();
        types.put(7L, AcknowledgeType.ACCEPT);
        types.put(8L, null);
        Map<TopicIdPartition, Taken<String, String>> taken = Map.of(partition, new Taken<>(1, types, List.of(record)));
        ShareFetch<String, String> fetch = ShareFetch.empty();
        putBack(taken, fetch);
        fetch.acknowledge(record, AcknowledgeType.ACCEPT);
        if (!take(fetch).equals(taken) || !fetch.isEmpty()) {
            throw new IllegalStateException("acknowledgements are kept in another way");
        }
    }

    @SuppressWarnings("unchecked") // The consumer has the same types.
    private ShareFetch<K, V> fetch() {
        try {
            return (ShareFetch<K, V>) Objects.requireNonNull(currentFetch.get(delegate), "currentFetch");
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the inside of KafkaShareConsumer has changed while it was in use", e);
        }
    }

    private static Object value(Class<?> type, String name, Object of) throws ReflectiveOperationException {
        return Objects.requireNonNull(open(type, name).get(of), name);
    }

    private static Field open(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static UnsupportedVersionException unknown(String why, @Nullable Throwable cause) {
        return new UnsupportedVersionException(
                "the inside of the share consumer is not as in kafka-clients 4.4.0: " + why, cause);
    }
}
