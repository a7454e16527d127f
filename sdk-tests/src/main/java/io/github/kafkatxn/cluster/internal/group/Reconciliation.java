package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.group.ConsumerMember.State;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * One step of a member on its way to its part of the target: first it gives away what it shall not have any more, and
 * stays at its epoch until it has; then it takes the target's epoch and what is free; then it waits for what others
 * still hold.
 */
final class Reconciliation {
    private final ConsumerGroup group;
    private final ConsumerMember member;
    /** What the member says it has, null if it says nothing: then nothing has changed. */
    private final @Nullable Set<AssignedPartition> owned;

    private final Set<Uuid> subscribed;

    Reconciliation(
            ConsumerGroup group, ConsumerMember member, @Nullable Set<AssignedPartition> owned, ClusterImage image) {
        this.group = group;
        this.member = member;
        this.owned = owned;
        this.subscribed = ConsumerGroup.subscribedTopics(member, image).keySet();
    }

    /** Takes the step, if there is one. */
    void step() {
        switch (member.state()) {
            case STABLE -> {
                if (member.epoch() != group.targetEpoch() || hasUnsubscribed()) {
                    advance();
                }
            }
            case UNREVOKED_PARTITIONS -> {
                if (!stillOwns(member.revoking().keySet())) {
                    member.revoking().clear();
                    advance();
                }
            }
            case UNRELEASED_PARTITIONS -> advance();
        }
    }

    private void advance() {
        Set<AssignedPartition> target = new HashSet<>(group.target(member.id()));
        target.removeIf(partition -> !subscribed.contains(partition.topicId()));
        Map<AssignedPartition, Integer> surplus = new TreeMap<>(member.assigned());
        surplus.keySet().removeAll(target);
        member.assigned().keySet().retainAll(target);
        if (!surplus.isEmpty() && stillOwns(surplus.keySet())) {
            member.revoking().putAll(surplus);
            member.reach(State.UNREVOKED_PARTITIONS, member.epoch());
            return;
        }
        boolean waits = false;
        for (AssignedPartition partition : target) {
            if (!member.assigned().containsKey(partition)) {
                if (group.isFree(partition, member)) {
                    member.assigned().put(partition, group.targetEpoch());
                } else {
                    waits = true;
                }
            }
        }
        member.reach(waits ? State.UNRELEASED_PARTITIONS : State.STABLE, group.targetEpoch());
    }

    private boolean hasUnsubscribed() {
        return member.assigned().keySet().stream().anyMatch(partition -> !subscribed.contains(partition.topicId()));
    }

    private boolean stillOwns(Set<AssignedPartition> partitions) {
        return owned == null || owned.stream().anyMatch(partitions::contains);
    }
}
