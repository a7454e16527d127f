package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ShareGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ShareGroupHeartbeatResponseData;
import org.apache.kafka.common.message.ShareGroupHeartbeatResponseData.Assignment;
import org.apache.kafka.common.message.ShareGroupHeartbeatResponseData.TopicPartitions;
import org.apache.kafka.common.protocol.Errors;

/**
 * The members of share groups (KIP-932): one heartbeat joins, stays and leaves, and nothing has to be revoked. What is
 * wrong is thrown as an {@link ApiException}.
 */
public final class ShareProtocol {
    private static final int LEAVE = -1;

    private final GroupStore store;

    ShareProtocol(GroupStore store) {
        this.store = store;
    }

    /**
     * Partitions that get their share state before they can be assigned.
     *
     * @param stateEpoch of the state: the epoch of the group
     * @param partitions which
     */
    public record Uninitialised(int stateEpoch, List<AssignedPartition> partitions) {}

    /**
     * ShareGroupHeartbeat.
     *
     * @param caller who asks
     * @param request what
     * @return the answer
     */
    public ShareGroupHeartbeatResponseData heartbeat(Caller caller, ShareGroupHeartbeatRequestData request) {
        check(request);
        return request.memberEpoch() == LEAVE ? leave(request) : stay(caller, request);
    }

    /**
     * What has to be initialised for a group.
     *
     * @param groupId the group
     * @return nothing if there is no such share group
     */
    public Uninitialised uninitialised(String groupId) {
        return find(groupId)
                .map(group -> new Uninitialised(group.epoch(), group.uninitialised()))
                .orElseGet(() -> new Uninitialised(0, List.of()));
    }

    /**
     * The share state of partitions has been initialised: members get them with their next heartbeats.
     *
     * @param groupId the group
     * @param partitions which
     */
    public void initialised(String groupId, Collection<AssignedPartition> partitions) {
        find(groupId).filter(group -> group.initialised().addAll(partitions)).ifPresent(group -> {
            group.bumpEpoch();
            store.save(group);
        });
    }

    /**
     * The partitions of a group that have share state.
     *
     * @param groupId the group
     * @return them, none if there is no such share group
     */
    public Set<AssignedPartition> partitions(String groupId) {
        return find(groupId).map(group -> Set.copyOf(group.initialised())).orElse(Set.of());
    }

    /**
     * An administrator changes where an empty group begins, which may not be there yet.
     *
     * @param groupId the group
     * @return the state epoch of the new beginning
     */
    public int restart(String groupId) {
        ShareGroup group = store.find(groupId).isEmpty() ? new ShareGroup(groupId) : emptyGroup(groupId);
        store.put(group);
        store.save(group);
        return group.epoch();
    }

    /**
     * Requires a share group without members.
     *
     * @param groupId the group
     */
    public void requireEmpty(String groupId) {
        emptyGroup(groupId);
    }

    /**
     * The share state of a topic has been deleted.
     *
     * @param groupId the group
     * @param topicId the topic
     */
    public void forget(String groupId, Uuid topicId) {
        find(groupId)
                .filter(group -> group.initialised()
                        .removeIf(partition -> partition.topicId().equals(topicId)))
                .ifPresent(store::save);
    }

    /** The group has been read from the log: its members have a whole session from now on. */
    void restart(ShareGroup group) {
        group.members().forEach(member -> restartSession(group, member));
    }

    private static void check(ShareGroupHeartbeatRequestData request) {
        require(!request.memberId().isEmpty(), "MemberId can't be empty.");
        require(!request.groupId().isEmpty(), "GroupId can't be empty.");
        require(!"".equals(request.rackId()), "RackId can't be empty.");
        require(request.memberEpoch() >= LEAVE, "MemberEpoch is invalid.");
        if (request.memberEpoch() == 0) {
            require(
                    request.subscribedTopicNames() != null
                            && !request.subscribedTopicNames().isEmpty(),
                    "SubscribedTopicNames must be set in first request.");
        }
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw Errors.INVALID_REQUEST.exception(message);
        }
    }

    private ShareGroupHeartbeatResponseData stay(Caller caller, ShareGroupHeartbeatRequestData request) {
        ShareGroup group = request.memberEpoch() == 0 ? groupToJoin(request.groupId()) : group(request.groupId());
        Optional<ShareMember> known = group.member(request.memberId());
        ShareMember member = known.orElseGet(() -> join(group, request));
        if (known.isPresent()) {
            checkEpoch(member, request.memberEpoch());
        }
        Set<String> topicsBefore = member.topics();
        Set<AssignedPartition> assignedBefore = member.assigned();
        member.update(request, caller);
        ClusterImage image = store.context().image().get();
        boolean topicsChanged = group.updateTopics(image);
        if (topicsChanged || known.isEmpty() || !member.topics().equals(topicsBefore)) {
            group.bumpEpoch();
        }
        if (member.epoch() != group.epoch()) {
            member.reach(group.epoch(), group.target(member, image));
        }
        restartSession(group, member);
        store.put(group);
        store.save(group);
        ShareGroupHeartbeatResponseData response = new ShareGroupHeartbeatResponseData()
                .setMemberId(member.id())
                .setMemberEpoch(member.epoch())
                .setHeartbeatIntervalMs((int) store.context()
                        .groupNumber(group.id(), "share.heartbeat.interval.ms", "group.share.heartbeat.interval.ms"));
        boolean full = request.memberEpoch() == 0 || request.subscribedTopicNames() != null;
        return full || !assignedBefore.equals(member.assigned())
                ? response.setAssignment(assignment(member))
                : response;
    }

    private ShareMember join(ShareGroup group, ShareGroupHeartbeatRequestData request) {
        if (request.memberEpoch() != 0) {
            throw unknownMember(group, request.memberId());
        }
        if (group.members().size() >= store.context().settings().number("group.share.max.size")) {
            throw Errors.GROUP_MAX_SIZE_REACHED.exception("The share group has reached its maximum capacity.");
        }
        ShareMember member = new ShareMember(request.memberId());
        group.add(member);
        return member;
    }

    private static void checkEpoch(ShareMember member, int epoch) {
        if (epoch != 0 && epoch != member.epoch() && epoch != member.previousEpoch()) {
            throw Errors.FENCED_MEMBER_EPOCH.exception("Member " + member.id() + " has epoch " + member.epoch()
                    + ", not " + epoch + ". It must abandon its partitions and rejoin.");
        }
    }

    private ShareGroupHeartbeatResponseData leave(ShareGroupHeartbeatRequestData request) {
        ShareGroup group = group(request.groupId());
        remove(group, group.member(request.memberId()).orElseThrow(() -> unknownMember(group, request.memberId())));
        return new ShareGroupHeartbeatResponseData()
                .setMemberId(request.memberId())
                .setMemberEpoch(request.memberEpoch());
    }

    private void remove(ShareGroup group, ShareMember member) {
        group.remove(member);
        group.updateTopics(store.context().image().get());
        group.bumpEpoch();
        store.save(group);
    }

    private void restartSession(ShareGroup group, ShareMember member) {
        long session =
                store.context().groupNumber(group.id(), "share.session.timeout.ms", "group.share.session.timeout.ms");
        member.session(store.context().loop().after(session, () -> remove(group, member)));
    }

    private ShareGroup groupToJoin(String id) {
        Optional<Group> found = store.find(id);
        boolean free = found.isEmpty() || (found.get() instanceof ClassicGroup classic && classic.isEmpty());
        return free ? new ShareGroup(id) : group(id);
    }

    private ShareGroup emptyGroup(String id) {
        ShareGroup group = group(id);
        group.checkDelete();
        return group;
    }

    private ShareGroup group(String id) {
        return find(id).orElseThrow(() -> Errors.GROUP_ID_NOT_FOUND.exception(
                store.find(id).isEmpty() ? "Group " + id + " not found." : "Group " + id + " is not a share group."));
    }

    private Optional<ShareGroup> find(String id) {
        return store.find(id).filter(ShareGroup.class::isInstance).map(ShareGroup.class::cast);
    }

    private static ApiException unknownMember(ShareGroup group, String memberId) {
        return Errors.UNKNOWN_MEMBER_ID.exception(
                "Member " + memberId + " is not a member of group " + group.id() + ".");
    }

    private static Assignment assignment(ShareMember member) {
        Map<Uuid, List<Integer>> topics = new TreeMap<>();
        new TreeSet<>(member.assigned())
                .forEach(partition -> topics.computeIfAbsent(partition.topicId(), id -> new ArrayList<>())
                        .add(partition.partition()));
        Assignment assignment = new Assignment();
        topics.forEach((id, partitions) -> assignment
                .topicPartitions()
                .add(new TopicPartitions().setTopicId(id).setPartitions(partitions)));
        return assignment;
    }
}
