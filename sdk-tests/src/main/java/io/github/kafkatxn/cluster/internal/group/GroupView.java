package io.github.kafkatxn.cluster.internal.group;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A group as it is now.
 *
 * @param groupId its id
 * @param type {@code classic}, {@code consumer} or {@code share}
 * @param state by its name, such as {@code Stable}
 * @param epoch the generation, or the group epoch
 * @param members by their ids
 */
public record GroupView(String groupId, String type, String state, int epoch, List<Member> members) {

    /**
     * A member of a group.
     *
     * @param memberId its id
     * @param instanceId if it is a static member
     * @param epoch the generation, or its member epoch
     * @param assigned the partitions it has; empty for a classic member, whose assignment only clients can read
     */
    public record Member(String memberId, @Nullable String instanceId, int epoch, Set<AssignedPartition> assigned) {}
}
