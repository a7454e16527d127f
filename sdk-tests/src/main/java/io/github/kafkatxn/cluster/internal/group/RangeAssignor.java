package io.github.kafkatxn.cluster.internal.group;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.Uuid;

/**
 * Every topic for itself is cut into pieces of neighbouring partitions, one for each subscriber, in the same order of
 * members for all topics: topics with as many partitions as each other come together.
 */
final class RangeAssignor implements Assignor {

    @Override
    public Map<String, Set<AssignedPartition>> assign(Map<String, Subject> members, Map<Uuid, Integer> topics) {
        Map<String, Set<AssignedPartition>> result = new TreeMap<>();
        members.keySet().forEach(id -> result.put(id, new TreeSet<>()));
        List<Map.Entry<String, Subject>> inOrder = new ArrayList<>(members.entrySet());
        inOrder.sort(Comparator.comparing(RangeAssignor::sortKey));
        topics.forEach((topic, count) -> {
            List<String> subscribers = inOrder.stream()
                    .filter(entry -> entry.getValue().topics().contains(topic))
                    .map(Map.Entry::getKey)
                    .toList();
            cut(topic, count, subscribers, result);
        });
        return result;
    }

    private static void cut(
            Uuid topic, int count, List<String> subscribers, Map<String, Set<AssignedPartition>> result) {
        int next = 0;
        for (int i = 0; i < subscribers.size(); i++) {
            int piece = count / subscribers.size() + (i < count % subscribers.size() ? 1 : 0);
            for (int end = next + piece; next < end; next++) {
                result.computeIfAbsent(subscribers.get(i), id -> new TreeSet<>())
                        .add(new AssignedPartition(topic, next));
            }
        }
    }

    private static String sortKey(Map.Entry<String, Subject> member) {
        String instanceId = member.getValue().instanceId();
        return instanceId == null ? "1" + member.getKey() : "0" + instanceId;
    }
}
