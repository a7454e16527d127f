package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * A share group (KIP-932). Only partitions whose share state has been initialised are assigned; several members may
 * have the same one. It keeps no offsets: what commits them finds no such group.
 */
final class ShareGroup extends Group {
    private final Map<String, ShareMember> members = new TreeMap<>();
    private final Set<AssignedPartition> initialised = new TreeSet<>();
    /** How many partitions each subscribed topic had when the group epoch was last looked at. */
    private Map<Uuid, Integer> topics = Map.of();

    /** As with Apache Kafka, a group begins at 1, and its first member has 2. */
    private int epoch = 1;

    ShareGroup(String id) {
        super(id);
    }

    @Override
    String typeName() {
        return "share";
    }

    @Override
    String stateName() {
        return members.isEmpty() ? "Empty" : "Stable";
    }

    @Override
    String protocolType() {
        return "share";
    }

    @Override
    boolean isEmpty() {
        return members.isEmpty();
    }

    @Override
    boolean isSubscribedTo(String topic) {
        return members.values().stream().anyMatch(member -> member.topics().contains(topic));
    }

    @Override
    CommitCheck checkCommit(Committer committer) {
        throw Errors.GROUP_ID_NOT_FOUND.exception();
    }

    /** Who fetches finds nothing, as in a group that does not exist. */
    @Override
    void checkFetch(@Nullable String memberId, int memberEpoch) {}

    @Override
    void checkOffsetDelete() {
        throw Errors.GROUP_ID_NOT_FOUND.exception();
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
                        .map(member -> new GroupView.Member(member.id(), null, member.epoch(), member.assigned()))
                        .toList());
    }

    /** Takes over what the log says. */
    void restore(int storedEpoch, Map<Uuid, Integer> storedTopics) {
        epoch = storedEpoch;
        topics = storedTopics;
    }

    int epoch() {
        return epoch;
    }

    void bumpEpoch() {
        epoch++;
    }

    Map<Uuid, Integer> topics() {
        return topics;
    }

    Set<AssignedPartition> initialised() {
        return initialised;
    }

    Collection<ShareMember> members() {
        return members.values();
    }

    Optional<ShareMember> member(String memberId) {
        return Optional.ofNullable(members.get(memberId));
    }

    void add(ShareMember member) {
        members.put(member.id(), member);
    }

    void remove(ShareMember member) {
        member.session(null);
        members.remove(member.id());
    }

    /** {@return whether the topics of the group are not what they were} */
    boolean updateTopics(ClusterImage image) {
        Map<Uuid, Integer> now = new TreeMap<>();
        for (TopicInfo topic : image.topics()) {
            if (isSubscribedTo(topic.name())) {
                now.put(topic.id(), topic.partitions().size());
            }
        }
        boolean changed = !now.equals(topics);
        topics = now;
        return changed;
    }

    /** {@return the partitions of its topics that nobody can be given yet} */
    List<AssignedPartition> uninitialised() {
        List<AssignedPartition> missing = new ArrayList<>();
        topics.forEach((topic, count) -> {
            for (int index = 0; index < count; index++) {
                AssignedPartition partition = new AssignedPartition(topic, index);
                if (!initialised.contains(partition)) {
                    missing.add(partition);
                }
            }
        });
        return missing;
    }

    /** Every partition has a member and every member a partition, as evenly as numbers and subscriptions allow. */
    Set<AssignedPartition> target(ShareMember member, ClusterImage image) {
        Set<AssignedPartition> target = new TreeSet<>();
        int shift = 0;
        for (Uuid topicId : topics.keySet()) {
            String name = image.topic(topicId).map(TopicInfo::name).orElse("");
            List<ShareMember> sharers = members.values().stream()
                    .filter(each -> each.topics().contains(name))
                    .toList();
            List<AssignedPartition> partitions = initialised.stream()
                    .filter(partition -> partition.topicId().equals(topicId))
                    .toList();
            int pairs = partitions.isEmpty() ? 0 : Math.max(sharers.size(), partitions.size());
            for (int i = 0; i < pairs && !sharers.isEmpty(); i++) {
                if (sharers.get((i + shift) % sharers.size()) == member) {
                    target.add(partitions.get(i % partitions.size()));
                }
            }
            shift += partitions.size();
        }
        return target;
    }

    void cancelTimers() {
        members.values().forEach(member -> member.session(null));
    }
}
