package io.github.kafkatxn.cluster.internal.group;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Committed offsets, and the pending ones of open transactions by producer. What is applied here is applied in the
 * order of the log, by the coordinator that writes it and by the one that reads it later: both come to the same.
 */
final class OffsetStore {
    private static final Comparator<TopicPartition> BY_NAME =
            Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

    private final Map<String, Map<TopicPartition, CommittedOffset>> committed = new TreeMap<>();
    private final Map<Long, Map<String, Map<TopicPartition, CommittedOffset>>> pending = new HashMap<>();

    void commit(String group, TopicPartition partition, CommittedOffset offset) {
        committed.computeIfAbsent(group, id -> new TreeMap<>(BY_NAME)).put(partition, offset);
    }

    void addPending(long producerId, String group, TopicPartition partition, CommittedOffset offset) {
        pending.computeIfAbsent(producerId, id -> new TreeMap<>())
                .computeIfAbsent(group, id -> new TreeMap<>(BY_NAME))
                .put(partition, offset);
    }

    /** A pending offset is taken unless the one committed meanwhile lies further on in the log. */
    void endTransaction(long producerId, boolean commit) {
        Map<String, Map<TopicPartition, CommittedOffset>> ended = pending.remove(producerId);
        if (ended == null || !commit) {
            return;
        }
        ended.forEach((group, offsets) -> offsets.forEach((partition, offset) -> {
            CommittedOffset existing = committed(group).get(partition);
            if (existing == null || offset.logOffset() > existing.logOffset()) {
                commit(group, partition, offset);
            }
        }));
    }

    /** Drops the committed offset and the pending ones. */
    void delete(String group, TopicPartition partition) {
        Map<TopicPartition, CommittedOffset> offsets = committed.get(group);
        if (offsets != null) {
            offsets.remove(partition);
            if (offsets.isEmpty()) {
                committed.remove(group);
            }
        }
        for (Map<String, Map<TopicPartition, CommittedOffset>> ofProducer : List.copyOf(pending.values())) {
            Map<TopicPartition, CommittedOffset> ofGroup = ofProducer.get(group);
            if (ofGroup != null) {
                ofGroup.remove(partition);
                if (ofGroup.isEmpty()) {
                    ofProducer.remove(group);
                }
            }
        }
        pending.values().removeIf(Map::isEmpty);
    }

    Map<TopicPartition, CommittedOffset> committed(String group) {
        return committed.getOrDefault(group, Map.of());
    }

    @Nullable
    CommittedOffset find(String group, TopicPartition partition) {
        return committed(group).get(partition);
    }

    /** {@return the pending offsets of a group, by producer} */
    Map<Long, Map<TopicPartition, CommittedOffset>> pending(String group) {
        Map<Long, Map<TopicPartition, CommittedOffset>> found = new TreeMap<>();
        pending.forEach((producer, groups) -> {
            if (groups.containsKey(group)) {
                found.put(producer, groups.get(group));
            }
        });
        return found;
    }

    boolean hasPending(String group, TopicPartition partition) {
        return pending.values().stream()
                .anyMatch(groups -> groups.getOrDefault(group, Map.of()).containsKey(partition));
    }

    /** {@return all partitions of a group with a committed or a pending offset} */
    Set<TopicPartition> partitions(String group) {
        Set<TopicPartition> found = new HashSet<>(committed(group).keySet());
        pending(group).values().forEach(offsets -> found.addAll(offsets.keySet()));
        return found;
    }

    /** {@return groups and partitions with an offset, committed or pending, that fits} */
    List<Map.Entry<String, TopicPartition>> matching(BiPredicate<TopicPartition, CommittedOffset> fits) {
        Set<Map.Entry<String, TopicPartition>> found = new HashSet<>();
        List<Map<String, Map<TopicPartition, CommittedOffset>>> all = new ArrayList<>(pending.values());
        all.add(committed);
        all.forEach(groups -> groups.forEach((group, offsets) -> offsets.forEach((partition, offset) -> {
            if (fits.test(partition, offset)) {
                found.add(Map.entry(group, partition));
            }
        })));
        return List.copyOf(found);
    }
}
