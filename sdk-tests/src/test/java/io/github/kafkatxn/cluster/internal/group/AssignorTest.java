package io.github.kafkatxn.cluster.internal.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.internal.group.Assignor.Subject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AssignorTest {
    private static final Uuid T1 = new Uuid(1, 1);
    private static final Uuid T2 = new Uuid(2, 2);

    private final Assignor uniform = new UniformAssignor();
    private final Assignor range = new RangeAssignor();

    static List<Long> seeds() {
        return IntStream.range(0, 50).mapToObj(Long::valueOf).toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyPartitionHasOneSubscriberAndNobodyCouldTakeOneFromSomebodyMuchRicher(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Uuid, Integer> topics = new HashMap<>();
        IntStream.range(0, random.nextInt(1, 5)).forEach(i -> topics.put(new Uuid(i, 1), random.nextInt(1, 8)));
        Map<String, Subject> members = new TreeMap<>();
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            members.put("m" + i, subject(some(topics.keySet(), random), Set.of()));
        }
        for (int round = 0; round < 4; round++) {
            Map<String, Set<AssignedPartition>> result = uniform.assign(members, topics);
            checkFair(members, topics, result);
            Map<String, Subject> next = new TreeMap<>();
            members.forEach((id, member) -> next.put(id, subject(member.topics(), result.get(id))));
            assertThat(uniform.assign(next, topics))
                    .as("nothing moves without a reason")
                    .isEqualTo(result);
            next.remove("m" + random.nextInt(1, 6));
            next.put("n" + round, subject(topics.keySet(), Set.of()));
            members.clear();
            members.putAll(next);
        }
    }

    @Test
    void aNewMemberTakesOnlyWhatItNeeds() {
        Set<AssignedPartition> four = partitions(T1, 0, 4);
        Map<String, Set<AssignedPartition>> result = uniform.assign(
                Map.of("a", subject(Set.of(T1), four), "b", subject(Set.of(T1), Set.of())), Map.of(T1, 4));
        assertThat(result.get("a")).hasSize(2).isSubsetOf(four);
        assertThat(result.get("b")).hasSize(2).isSubsetOf(four);
    }

    @Test
    void rangeCutsEveryTopicAlikeStaticMembersFirst() {
        Set<Uuid> both = Set.of(T1, T2);
        Map<String, Subject> members = Map.of("a", subject(both, Set.of()), "z", new Subject("static", both, Set.of()));
        Map<String, Set<AssignedPartition>> result = range.assign(members, Map.of(T1, 3, T2, 3));
        Set<AssignedPartition> first = new TreeSet<>(partitions(T1, 0, 2));
        first.addAll(partitions(T2, 0, 2));
        assertThat(result.get("z")).isEqualTo(first);
        assertThat(result.get("a"))
                .containsExactlyInAnyOrder(new AssignedPartition(T1, 2), new AssignedPartition(T2, 2));
    }

    private static void checkFair(
            Map<String, Subject> members, Map<Uuid, Integer> topics, Map<String, Set<AssignedPartition>> result) {
        Set<AssignedPartition> seen = new HashSet<>();
        result.forEach((id, partitions) -> partitions.forEach(partition -> {
            assertThat(seen.add(partition)).as("%s twice", partition).isTrue();
            assertThat(members.get(id).topics()).contains(partition.topicId());
        }));
        int wanted = topics.entrySet().stream()
                .filter(topic -> members.values().stream()
                        .anyMatch(member -> member.topics().contains(topic.getKey())))
                .mapToInt(Map.Entry::getValue)
                .sum();
        assertThat(seen).hasSize(wanted);
        for (Uuid topic : topics.keySet()) {
            IntSummaryStatistics owners = members.keySet().stream()
                    .filter(id -> result.get(id).stream()
                            .anyMatch(partition -> partition.topicId().equals(topic)))
                    .collect(Collectors.summarizingInt(id -> result.get(id).size()));
            IntSummaryStatistics subscribers = members.keySet().stream()
                    .filter(id -> members.get(id).topics().contains(topic))
                    .collect(Collectors.summarizingInt(id -> result.get(id).size()));
            if (owners.getCount() > 0) {
                assertThat(owners.getMax() - subscribers.getMin()).isLessThanOrEqualTo(1);
            }
        }
    }

    private static Set<Uuid> some(Set<Uuid> topics, SplittableRandom random) {
        Set<Uuid> some = new HashSet<>();
        topics.forEach(topic -> {
            if (random.nextBoolean()) {
                some.add(topic);
            }
        });
        return some;
    }

    private static Subject subject(Set<Uuid> topics, Set<AssignedPartition> current) {
        return new Subject(null, topics, current);
    }

    private static Set<AssignedPartition> partitions(Uuid topic, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> new AssignedPartition(topic, i))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
