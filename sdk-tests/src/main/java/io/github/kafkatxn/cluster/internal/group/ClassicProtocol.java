package io.github.kafkatxn.cluster.internal.group;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * The classic protocol but for joining: hands around the leader's assignment, hears that members live, and lets them
 * go. What is wrong with a request is thrown as an {@link ApiException}.
 */
public final class ClassicProtocol {
    private final GroupStore store;
    private final ClassicRebalance rebalance;
    private final ModernProtocol modern;

    ClassicProtocol(GroupStore store, ClassicRebalance rebalance, ModernProtocol modern) {
        this.store = store;
        this.rebalance = rebalance;
        this.modern = modern;
    }

    /**
     * SyncGroup.
     *
     * @param request what
     * @param answer told at once, or when the leader has decided
     */
    public void sync(SyncGroupRequestData request, Consumer<SyncGroupResponseData> answer) {
        ClassicGroup group = find(request.groupId());
        if (group.isEmpty()) {
            throw Errors.UNKNOWN_MEMBER_ID.exception();
        }
        group.checkMember(request.memberId(), request.groupInstanceId());
        checkGeneration(group, request.generationId());
        if (differs(request.protocolType(), group.protocolTypeOrNull())
                || differs(request.protocolName(), group.protocolName())) {
            throw Errors.INCONSISTENT_GROUP_PROTOCOL.exception();
        }
        ClassicMember member = member(group, request.memberId());
        switch (group.state()) {
            case COMPLETING_REBALANCE -> {
                member.awaitSync(answer);
                synced(group, member);
                if (group.isLeader(member.id())) {
                    stabilize(group, request);
                }
            }
            case STABLE -> {
                synced(group, member);
                answer.accept(assignmentOf(group, member));
            }
            default -> throw Errors.REBALANCE_IN_PROGRESS.exception();
        }
    }

    /**
     * Heartbeat.
     *
     * @param request what
     * @return the answer: none, or that there is a rebalance
     */
    public Errors heartbeat(HeartbeatRequestData request) {
        ClassicGroup group = find(request.groupId());
        group.checkMember(request.memberId(), request.groupInstanceId());
        checkGeneration(group, request.generationId());
        rebalance.restartSession(group, member(group, request.memberId()));
        return group.state() == ClassicState.PREPARING_REBALANCE ? Errors.REBALANCE_IN_PROGRESS : Errors.NONE;
    }

    /**
     * LeaveGroup of one member: of its own accord, or because an administrator wants it, whatever protocol it speaks.
     *
     * @param groupId its group
     * @param leaving the member, by its id or its instance id
     * @return what came of it
     */
    public Errors leave(String groupId, MemberIdentity leaving) {
        if (store.find(groupId).orElse(null) instanceof ConsumerGroup other) {
            return modern.remove(other, leaving);
        }
        ClassicGroup group = find(groupId);
        String instanceId = leaving.groupInstanceId();
        if (leaving.memberId().isEmpty()) {
            ClassicMember member =
                    instanceId == null ? null : group.staticMember(instanceId).orElse(null);
            if (member == null) {
                return Errors.UNKNOWN_MEMBER_ID;
            }
            rebalance.remove(group, member);
            return Errors.NONE;
        }
        if (group.timers().isPending(leaving.memberId())) {
            rebalance.removePending(group, leaving.memberId());
            return Errors.NONE;
        }
        try {
            group.checkMember(leaving.memberId(), instanceId);
        } catch (ApiException e) {
            return Errors.forException(e);
        }
        rebalance.remove(group, member(group, leaving.memberId()));
        return Errors.NONE;
    }

    /** A member that commits lives. */
    void committed(Group group, String memberId) {
        if (group instanceof ClassicGroup classic
                && classic.isIn(ClassicState.STABLE, ClassicState.PREPARING_REBALANCE)) {
            classic.member(memberId).ifPresent(member -> rebalance.restartSession(classic, member));
        }
    }

    private ClassicGroup find(String id) {
        return store.find(id)
                .filter(ClassicGroup.class::isInstance)
                .map(ClassicGroup.class::cast)
                .orElseThrow(Errors.UNKNOWN_MEMBER_ID::exception);
    }

    private static ClassicMember member(ClassicGroup group, String id) {
        return group.member(id).orElseThrow(Errors.UNKNOWN_MEMBER_ID::exception);
    }

    private static void checkGeneration(ClassicGroup group, int generation) {
        if (generation != group.generation()) {
            throw Errors.ILLEGAL_GENERATION.exception();
        }
    }

    private static boolean differs(@Nullable String asked, @Nullable String has) {
        return asked != null && has != null && !Objects.equals(asked, has);
    }

    private void synced(ClassicGroup group, ClassicMember member) {
        group.pendingSync().remove(member.id());
        if (group.pendingSync().isEmpty()) {
            group.timers().sync(null);
        }
    }

    private void stabilize(ClassicGroup group, SyncGroupRequestData request) {
        Map<String, byte[]> assignments = new HashMap<>();
        request.assignments().forEach(one -> assignments.put(one.memberId(), one.assignment()));
        group.members().forEach(member -> {
            byte[] assignment = assignments.get(member.id());
            if (assignment == null) {
                member.unassign();
            } else {
                member.assign(assignment);
            }
        });
        store.save(group);
        group.transitionTo(ClassicState.STABLE);
        for (ClassicMember member : List.copyOf(group.members())) {
            if (member.isAwaiting()) {
                rebalance.restartSession(group, member);
                member.completeSync(assignmentOf(group, member));
            }
        }
    }

    private static SyncGroupResponseData assignmentOf(ClassicGroup group, ClassicMember member) {
        return new SyncGroupResponseData()
                .setProtocolType(group.protocolTypeOrNull())
                .setProtocolName(group.protocolName())
                .setAssignment(member.assignment());
    }
}
