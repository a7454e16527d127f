package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * A group of the consumer protocol (KIP-848). The group epoch grows with every change of members, subscriptions or
 * topics; the target assignment follows it; every member walks to its part of the target alone.
 */
final class ConsumerGroup extends Group {
    static final String DEFAULT_ASSIGNOR = "uniform";

    private final Map<String, ConsumerMember> members = new TreeMap<>();
    private final Map<String, Set<AssignedPartition>> target = new TreeMap<>();
    /** How many partitions each subscribed topic had when the group epoch was last looked at. */
    private Map<Uuid, Integer> topics = Map.of();

    /** A new group is at 1, so that the first member gets 2, as with a broker. */
    private int epoch = 1;

    private int targetEpoch;

    ConsumerGroup(String id) {
        super(id);
    }

    @Override
    String typeName() {
        return "consumer";
    }

    @Override
    String stateName() {
        if (members.isEmpty()) {
            return "Empty";
        }
        if (epoch > targetEpoch) {
            return "Assigning";
        }
        return members.values().stream().allMatch(this::isSettled) ? "Stable" : "Reconciling";
    }

    @Override
    String protocolType() {
        return ClassicGroup.CONSUMER;
    }

    @Override
    boolean isEmpty() {
        return members.isEmpty();
    }

    @Override
    boolean isSubscribedTo(String topic) {
        return members.values().stream().anyMatch(member -> isSubscribed(member, topic));
    }

    @Override
    CommitCheck checkCommit(Committer committer) {
        if ((committer.epoch() < 0 && members.isEmpty()) || (committer.transactional() && committer.isUnnamed())) {
            return CommitCheck.NONE;
        }
        ConsumerMember member = member(committer.memberId()).orElseThrow(Errors.UNKNOWN_MEMBER_ID::exception);
        if (!committer.transactional() && committer.version() < 9) {
            throw Errors.UNSUPPORTED_VERSION.exception();
        }
        if (committer.epoch() == member.epoch()) {
            return CommitCheck.NONE;
        }
        if (committer.epoch() > member.epoch()) {
            throw Errors.STALE_MEMBER_EPOCH.exception();
        }
        return (topicId, partition) -> {
            AssignedPartition asked = new AssignedPartition(topicId, partition);
            Integer since =
                    member.assigned().getOrDefault(asked, member.revoking().get(asked));
            if (since == null || committer.epoch() < since) {
                throw Errors.STALE_MEMBER_EPOCH.exception();
            }
        };
    }

    @Override
    void checkFetch(@Nullable String memberId, int memberEpoch) {
        if (memberId == null && memberEpoch < 0) {
            return;
        }
        ConsumerMember member =
                Optional.ofNullable(memberId).flatMap(this::member).orElseThrow(Errors.UNKNOWN_MEMBER_ID::exception);
        if (memberEpoch != member.epoch()) {
            throw Errors.STALE_MEMBER_EPOCH.exception();
        }
    }

    @Override
    void checkOffsetDelete() {
        // Only topics that somebody subscribes to are refused.
    }

    @Override
    void checkDelete() {
        if (!members.isEmpty()) {
            throw Errors.NON_EMPTY_GROUP.exception();
        }
    }

    @Override
    GroupView view() {
        return new GroupView(
                id(),
                typeName(),
                stateName(),
                epoch,
                members.values().stream()
                        .map(member -> new GroupView.Member(
                                member.id(),
                                member.instanceId(),
                                member.epoch(),
                                new TreeSet<>(member.assigned().keySet())))
                        .toList());
    }

    /** Takes over what the log says. */
    void restore(int storedEpoch, int storedTargetEpoch, Map<Uuid, Integer> storedTopics) {
        epoch = storedEpoch;
        targetEpoch = storedTargetEpoch;
        topics = storedTopics;
    }

    int epoch() {
        return epoch;
    }

    int targetEpoch() {
        return targetEpoch;
    }

    void bumpEpoch() {
        epoch++;
    }

    Map<Uuid, Integer> topics() {
        return topics;
    }

    /** {@return whether the topics of the group are not what they were} */
    boolean updateTopics(ClusterImage image) {
        Map<Uuid, Integer> now = new TreeMap<>();
        members.values().forEach(member -> now.putAll(subscribedTopics(member, image)));
        boolean changed = !now.equals(topics);
        topics = now;
        return changed;
    }

    Collection<ConsumerMember> members() {
        return members.values();
    }

    Optional<ConsumerMember> member(String memberId) {
        return Optional.ofNullable(members.get(memberId));
    }

    Optional<ConsumerMember> staticMember(String instanceId) {
        return members.values().stream()
                .filter(member -> instanceId.equals(member.instanceId()))
                .findFirst();
    }

    void add(ConsumerMember member) {
        members.put(member.id(), member);
    }

    void remove(ConsumerMember member) {
        member.cancelTimers();
        members.remove(member.id());
        target.remove(member.id());
    }

    void replace(ConsumerMember old, ConsumerMember renamed) {
        Set<AssignedPartition> part = target(old.id());
        remove(old);
        add(renamed);
        target.put(renamed.id(), part);
    }

    Map<String, Set<AssignedPartition>> target() {
        return target;
    }

    Set<AssignedPartition> target(String memberId) {
        return target.getOrDefault(memberId, Set.of());
    }

    void retarget(Map<String, Set<AssignedPartition>> newTarget) {
        target.clear();
        target.putAll(newTarget);
        targetEpoch = epoch;
    }

    /** {@return the assignor that most members prefer} */
    String assignor() {
        Map<String, Long> votes = members.values().stream()
                .map(ConsumerMember::assignor)
                .filter(name -> name != null)
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
        return votes.entrySet().stream()
                .max(Comparator.comparing(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .orElse(DEFAULT_ASSIGNOR);
    }

    boolean isFree(AssignedPartition partition, ConsumerMember asker) {
        return members.values().stream().noneMatch(member -> member != asker && member.holds(partition));
    }

    /** {@return the topics a member asks for and that there are, each with its number of partitions} */
    static Map<Uuid, Integer> subscribedTopics(ConsumerMember member, ClusterImage image) {
        Map<Uuid, Integer> found = new HashMap<>();
        for (TopicInfo topic : image.topics()) {
            if (isSubscribed(member, topic.name())) {
                found.put(topic.id(), topic.partitions().size());
            }
        }
        return found;
    }

    void cancelTimers() {
        members.values().forEach(ConsumerMember::cancelTimers);
    }

    private boolean isSettled(ConsumerMember member) {
        return member.state() == ConsumerMember.State.STABLE && member.epoch() == targetEpoch;
    }

    private static boolean isSubscribed(ConsumerMember member, String topic) {
        String regex = member.regex();
        return member.topics().contains(topic) || (regex != null && Pattern.matches(regex, topic));
    }
}
