package io.github.kafkatxn.cluster.internal.group;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.Uuid;

/**
 * Everybody gets as many partitions as the others, as far as their subscriptions allow, and keeps what it had. A
 * partition changes hands only if its owner has two more than the one who gets it.
 */
final class UniformAssignor implements Assignor {

    @Override
    public Map<String, Set<AssignedPartition>> assign(Map<String, Subject> members, Map<Uuid, Integer> topics) {
        Map<String, Set<AssignedPartition>> result = new TreeMap<>();
        Map<AssignedPartition, String> owners = new HashMap<>();
        members.forEach((id, member) -> {
            Set<AssignedPartition> kept = new TreeSet<>(member.current());
            kept.removeIf(partition -> !member.topics().contains(partition.topicId())
                    || partition.partition() >= topics.getOrDefault(partition.topicId(), 0)
                    || owners.putIfAbsent(partition, id) != null);
            result.put(id, kept);
        });
        for (AssignedPartition partition : all(topics)) {
            if (!owners.containsKey(partition)) {
                poorest(partition, members, result).ifPresent(id -> {
                    owners.put(partition, id);
                    partitionsOf(result, id).add(partition);
                });
            }
        }
        while (moveOne(members, result)) {
            // Each move makes two members more equal: it ends.
        }
        return result;
    }

    private static boolean moveOne(Map<String, Subject> members, Map<String, Set<AssignedPartition>> result) {
        List<String> richestFirst = new ArrayList<>(result.keySet());
        richestFirst.sort(Comparator.comparing(id -> -partitionsOf(result, id).size()));
        for (String rich : richestFirst) {
            for (AssignedPartition partition : List.copyOf(partitionsOf(result, rich))) {
                Optional<String> poor = poorest(partition, members, result);
                if (poor.isPresent()
                        && partitionsOf(result, poor.get()).size() + 1
                                < partitionsOf(result, rich).size()) {
                    partitionsOf(result, rich).remove(partition);
                    partitionsOf(result, poor.get()).add(partition);
                    return true;
                }
            }
        }
        return false;
    }

    private static Optional<String> poorest(
            AssignedPartition partition, Map<String, Subject> members, Map<String, Set<AssignedPartition>> result) {
        return result.keySet().stream()
                .filter(id -> Optional.ofNullable(members.get(id))
                        .filter(member -> member.topics().contains(partition.topicId()))
                        .isPresent())
                .min(Comparator.comparing(id -> partitionsOf(result, id).size()));
    }

    private static Set<AssignedPartition> partitionsOf(Map<String, Set<AssignedPartition>> result, String id) {
        return result.computeIfAbsent(id, absent -> new TreeSet<>());
    }

    private static List<AssignedPartition> all(Map<Uuid, Integer> topics) {
        List<AssignedPartition> all = new ArrayList<>();
        new TreeMap<>(topics).forEach((topic, count) -> {
            for (int i = 0; i < count; i++) {
                all.add(new AssignedPartition(topic, i));
            }
        });
        return all;
    }
}
