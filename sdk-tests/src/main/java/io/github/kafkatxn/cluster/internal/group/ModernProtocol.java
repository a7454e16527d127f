package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.group.ConsumerMember.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData.Assignment;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData.TopicPartitions;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** The consumer protocol (KIP-848): one heartbeat joins, stays, moves on and leaves. */
public final class ModernProtocol {
    private static final int LEAVE = -1;

    private final GroupStore store;

    ModernProtocol(GroupStore store) {
        this.store = store;
    }

    /**
     * ConsumerGroupHeartbeat. What is wrong with it is thrown as an {@link ApiException}.
     *
     * @param caller who asks
     * @param request what
     * @return the answer
     */
    public ConsumerGroupHeartbeatResponseData heartbeat(Caller caller, ConsumerGroupHeartbeatRequestData request) {
        check(caller, request);
        return request.memberEpoch() < 0 ? leave(request) : stay(caller, request);
    }

    /** Lets a member go because an administrator wants it. */
    Errors remove(ConsumerGroup group, MemberIdentity leaving) {
        String instanceId = leaving.groupInstanceId();
        Optional<ConsumerMember> member =
                instanceId == null ? group.member(leaving.memberId()) : group.staticMember(instanceId);
        if (member.isEmpty()) {
            return Errors.UNKNOWN_MEMBER_ID;
        }
        if (instanceId != null
                && !leaving.memberId().isEmpty()
                && !leaving.memberId().equals(member.get().id())) {
            return Errors.FENCED_INSTANCE_ID;
        }
        fence(group, member.get());
        return Errors.NONE;
    }

    /** The group has been read from the log: its members have a whole session from now on. */
    void restart(ConsumerGroup group) {
        group.members().forEach(member -> startTimers(group, member));
    }

    private static void check(Caller caller, ConsumerGroupHeartbeatRequestData request) {
        boolean needsId = caller.version() >= 1 || request.memberEpoch() > 0 || request.memberEpoch() == LEAVE;
        require(!needsId || !request.memberId().isEmpty(), "MemberId can't be empty.");
        require(!request.groupId().isEmpty(), "GroupId can't be empty.");
        require(!"".equals(request.instanceId()), "InstanceId can't be empty.");
        require(!"".equals(request.rackId()), "RackId can't be empty.");
        if (request.memberEpoch() == 0) {
            require(request.rebalanceTimeoutMs() != -1, "RebalanceTimeoutMs must be given to join.");
            require(
                    request.topicPartitions() != null
                            && request.topicPartitions().isEmpty(),
                    "TopicPartitions must be empty to join.");
            require(
                    request.subscribedTopicNames() != null || request.subscribedTopicRegex() != null,
                    "SubscribedTopicNames or SubscribedTopicRegex must be given to join.");
        } else if (request.memberEpoch() == ConsumerMember.LEFT_FOR_A_WHILE) {
            require(request.instanceId() != null, "InstanceId can't be null.");
        }
        require(request.memberEpoch() >= ConsumerMember.LEFT_FOR_A_WHILE, "MemberEpoch is invalid.");
        if (request.serverAssignor() != null && !Assignor.ALL.containsKey(request.serverAssignor())) {
            throw Errors.UNSUPPORTED_ASSIGNOR.exception(
                    "ServerAssignor " + request.serverAssignor() + " is not supported: " + Assignor.ALL.keySet());
        }
        checkRegex(request.subscribedTopicRegex());
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw Errors.INVALID_REQUEST.exception(message);
        }
    }

    private static void checkRegex(@Nullable String regex) {
        try {
            Pattern.compile(Objects.requireNonNullElse(regex, ""));
        } catch (PatternSyntaxException e) {
            throw Errors.INVALID_REGULAR_EXPRESSION.exception(e.getDescription());
        }
    }

    private ConsumerGroupHeartbeatResponseData stay(Caller caller, ConsumerGroupHeartbeatRequestData request) {
        Set<AssignedPartition> owned = owned(request);
        ConsumerGroup group = find(request);
        ConsumerMember member = enter(group, request, owned);
        Set<String> topicsBefore = member.topics();
        String regexBefore = member.regex();
        String assignorBefore = group.assignor();
        Set<AssignedPartition> assignedBefore = new TreeSet<>(member.assigned().keySet());
        Set<AssignedPartition> revokingBefore = new TreeSet<>(member.revoking().keySet());
        member.update(request, caller);
        boolean changed = !member.topics().equals(topicsBefore)
                || !Objects.equals(member.regex(), regexBefore)
                || !group.assignor().equals(assignorBefore);
        if (group.updateTopics(store.context().image().get()) || changed || group.epoch() == 0) {
            group.bumpEpoch();
        }
        if (group.epoch() > group.targetEpoch()) {
            retarget(group);
        }
        new Reconciliation(group, member, owned, store.context().image().get()).step();
        if (!revokingBefore.equals(member.revoking().keySet())) {
            member.rebalance(null);
        }
        startTimers(group, member);
        store.put(group);
        store.save(group);
        return answer(group, request, member, assignedBefore);
    }

    private ConsumerGroupHeartbeatResponseData answer(
            ConsumerGroup group,
            ConsumerGroupHeartbeatRequestData request,
            ConsumerMember member,
            Set<AssignedPartition> assignedBefore) {
        ConsumerGroupHeartbeatResponseData response = new ConsumerGroupHeartbeatResponseData()
                .setMemberId(member.id())
                .setMemberEpoch(member.epoch())
                .setHeartbeatIntervalMs((int) store.context()
                        .groupNumber(
                                group.id(), "consumer.heartbeat.interval.ms", "group.consumer.heartbeat.interval.ms"));
        boolean full = request.rebalanceTimeoutMs() != -1
                && (request.subscribedTopicNames() != null || request.subscribedTopicRegex() != null)
                && request.topicPartitions() != null;
        if (request.memberEpoch() == 0
                || full
                || !assignedBefore.equals(member.assigned().keySet())) {
            response.setAssignment(assignment(member));
        }
        return response;
    }

    private ConsumerGroup find(ConsumerGroupHeartbeatRequestData request) {
        Optional<Group> found = store.find(request.groupId());
        boolean joins = request.memberEpoch() == 0;
        if (found.isEmpty() || (joins && found.get() instanceof ClassicGroup classic && classic.isEmpty())) {
            if (!joins) {
                throw Errors.GROUP_ID_NOT_FOUND.exception("Group " + request.groupId() + " not found.");
            }
            return new ConsumerGroup(request.groupId());
        }
        if (found.get() instanceof ConsumerGroup group) {
            return group;
        }
        throw Errors.GROUP_ID_NOT_FOUND.exception("Group " + request.groupId() + " is not a consumer group.");
    }

    /** {@return the member that heartbeats: known, or new} */
    private ConsumerMember enter(
            ConsumerGroup group, ConsumerGroupHeartbeatRequestData request, @Nullable Set<AssignedPartition> owned) {
        String instanceId = request.instanceId();
        if (instanceId != null) {
            return enterStatic(group, request, instanceId, owned);
        }
        Optional<ConsumerMember> known = group.member(request.memberId());
        if (known.isPresent()) {
            checkEpoch(known.get(), request, owned);
            return known.get();
        }
        if (request.memberEpoch() != 0) {
            throw unknownMember(request.memberId());
        }
        return join(group, request);
    }

    private ConsumerMember enterStatic(
            ConsumerGroup group,
            ConsumerGroupHeartbeatRequestData request,
            String instanceId,
            @Nullable Set<AssignedPartition> owned) {
        Optional<ConsumerMember> known = group.staticMember(instanceId);
        if (request.memberEpoch() != 0) {
            ConsumerMember member = known.orElseThrow(() -> unknownMember(instanceId));
            checkOwner(member, request.memberId());
            checkEpoch(member, request, owned);
            return member;
        }
        if (known.isEmpty()) {
            return join(group, request);
        }
        ConsumerMember before = known.get();
        if (before.epoch() != ConsumerMember.LEFT_FOR_A_WHILE) {
            throw Errors.UNRELEASED_INSTANCE_ID.exception(
                    "Instance id " + instanceId + " is owned by member " + before.id() + ".");
        }
        ConsumerMember member = before.renamed(newId(request));
        group.replace(before, member);
        return member;
    }

    private ConsumerMember join(ConsumerGroup group, ConsumerGroupHeartbeatRequestData request) {
        if (group.members().size() >= store.context().settings().number("group.consumer.max.size")) {
            throw Errors.GROUP_MAX_SIZE_REACHED.exception("The consumer group has reached its maximum capacity.");
        }
        ConsumerMember member = new ConsumerMember(newId(request));
        group.add(member);
        return member;
    }

    private static String newId(ConsumerGroupHeartbeatRequestData request) {
        return request.memberId().isEmpty() ? Uuid.randomUuid().toString() : request.memberId();
    }

    private static void checkEpoch(
            ConsumerMember member, ConsumerGroupHeartbeatRequestData request, @Nullable Set<AssignedPartition> owned) {
        int epoch = request.memberEpoch();
        if (epoch == 0 || epoch == member.epoch()) {
            return;
        }
        boolean lostAnswer = epoch == member.previousEpoch()
                && owned != null
                && member.assigned().keySet().containsAll(owned);
        if (epoch > member.epoch() || !lostAnswer) {
            throw Errors.FENCED_MEMBER_EPOCH.exception("Member " + member.id() + " has epoch " + member.epoch()
                    + ", not " + epoch + ". It must abandon its partitions and rejoin.");
        }
    }

    private static void checkOwner(ConsumerMember member, String memberId) {
        if (!member.id().equals(memberId)) {
            throw Errors.FENCED_INSTANCE_ID.exception("Member " + memberId + " was fenced by " + member.id() + ".");
        }
    }

    private static ApiException unknownMember(String name) {
        return Errors.UNKNOWN_MEMBER_ID.exception(name + " is not a member of the group.");
    }

    private void retarget(ConsumerGroup group) {
        Map<Uuid, Integer> topics = new TreeMap<>();
        Map<String, Assignor.Subject> subjects = new TreeMap<>();
        group.members().forEach(member -> {
            Map<Uuid, Integer> subscribed = ConsumerGroup.subscribedTopics(
                    member, store.context().image().get());
            topics.putAll(subscribed);
            subjects.put(
                    member.id(),
                    new Assignor.Subject(member.instanceId(), subscribed.keySet(), group.target(member.id())));
        });
        group.retarget(
                Objects.requireNonNull(Assignor.ALL.get(group.assignor())).assign(subjects, topics));
    }

    private void startTimers(ConsumerGroup group, ConsumerMember member) {
        long session = store.context()
                .groupNumber(group.id(), "consumer.session.timeout.ms", "group.consumer.session.timeout.ms");
        member.session(store.context().loop().after(session, () -> fence(group, member)));
        if (member.state() != State.UNREVOKED_PARTITIONS) {
            member.rebalance(null);
        } else if (!member.isRebalanceTimed()) {
            member.rebalance(store.context().loop().after(member.rebalanceTimeoutMs(), () -> fence(group, member)));
        }
    }

    private ConsumerGroupHeartbeatResponseData leave(ConsumerGroupHeartbeatRequestData request) {
        ConsumerGroup group = find(request);
        String instanceId = request.instanceId();
        ConsumerMember member = (instanceId == null ? group.member(request.memberId()) : group.staticMember(instanceId))
                .orElseThrow(() -> unknownMember(instanceId == null ? request.memberId() : instanceId));
        if (instanceId != null) {
            checkOwner(member, request.memberId());
        }
        if (instanceId != null && request.memberEpoch() == ConsumerMember.LEFT_FOR_A_WHILE) {
            member.leaveForAWhile();
            member.rebalance(null);
            store.save(group);
        } else {
            fence(group, member);
        }
        return new ConsumerGroupHeartbeatResponseData().setMemberId(member.id()).setMemberEpoch(request.memberEpoch());
    }

    private void fence(ConsumerGroup group, ConsumerMember member) {
        group.remove(member);
        group.updateTopics(store.context().image().get());
        group.bumpEpoch();
        store.save(group);
    }

    private static @Nullable Set<AssignedPartition> owned(ConsumerGroupHeartbeatRequestData request) {
        if (request.topicPartitions() == null) {
            return null;
        }
        Set<AssignedPartition> owned = new TreeSet<>();
        request.topicPartitions()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> owned.add(new AssignedPartition(topic.topicId(), partition))));
        return owned;
    }

    private static Assignment assignment(ConsumerMember member) {
        Map<Uuid, List<Integer>> topics = new HashMap<>();
        member.assigned()
                .keySet()
                .forEach(partition -> topics.computeIfAbsent(partition.topicId(), id -> new ArrayList<>())
                        .add(partition.partition()));
        Assignment assignment = new Assignment();
        topics.forEach((id, partitions) -> assignment
                .topicPartitions()
                .add(new TopicPartitions().setTopicId(id).setPartitions(partitions)));
        return assignment;
    }
}
