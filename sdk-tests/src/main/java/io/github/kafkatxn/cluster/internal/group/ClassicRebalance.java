package io.github.kafkatxn.cluster.internal.group;

import java.util.List;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.JoinGroupResponseData.JoinGroupResponseMember;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;

/**
 * Takes a classic group from one generation to the next: waits until all members have joined, or as long as the most
 * patient of them allows, and lets go whoever does not come, live or sync in time.
 */
final class ClassicRebalance {
    private static final int NEW_MEMBER_JOIN_TIMEOUT_MS = 5 * 60 * 1000;

    private final GroupStore store;

    ClassicRebalance(GroupStore store) {
        this.store = store;
    }

    /** Starts a rebalance if there is none, or ends it if nobody is missing any more. */
    void prepareOrComplete(ClassicGroup group) {
        if (group.state() != ClassicState.PREPARING_REBALANCE) {
            prepare(group);
        } else if (group.previousState() != ClassicState.EMPTY && group.hasAllMembersJoined()) {
            complete(group);
        }
    }

    void prepare(ClassicGroup group) {
        if (group.state() == ClassicState.COMPLETING_REBALANCE) {
            group.members().forEach(member -> {
                member.unassign();
                member.completeSync(new SyncGroupResponseData().setErrorCode(Errors.REBALANCE_IN_PROGRESS.code()));
            });
        }
        group.pendingSync().clear();
        group.timers().sync(null);
        boolean initial = group.state() == ClassicState.EMPTY;
        group.transitionTo(ClassicState.PREPARING_REBALANCE);
        if (initial) {
            long delay = store.context().settings().number("group.initial.rebalance.delay.ms");
            group.newMemberAdded(false);
            awaitMore(group, delay, Math.max(group.rebalanceTimeoutMs() - delay, 0));
        } else if (group.hasAllMembersJoined()) {
            complete(group);
        } else {
            group.timers().join(store.context().loop().after(group.rebalanceTimeoutMs(), () -> complete(group)));
        }
    }

    /** The first members of a group wait for others: once more for each delay in which somebody came. */
    private void awaitMore(ClassicGroup group, long delay, long remaining) {
        group.timers().join(store.context().loop().after(delay, () -> {
            if (group.newMemberAdded() && remaining > 0) {
                group.newMemberAdded(false);
                awaitMore(group, Math.min(delay, remaining), Math.max(remaining - delay, 0));
            } else {
                complete(group);
            }
        }));
    }

    /** Everybody has joined, or their time is over: dynamic members that are not here are let go. */
    void complete(ClassicGroup group) {
        group.timers().join(null);
        for (ClassicMember member : List.copyOf(group.members())) {
            if (!member.isAwaitingJoin() && !member.isStatic()) {
                group.remove(member);
            }
        }
        if (!group.electLeader() && !group.members().isEmpty()) {
            group.timers().join(store.context().loop().after(group.rebalanceTimeoutMs(), () -> complete(group)));
            return;
        }
        group.nextGeneration();
        if (group.isEmpty()) {
            store.save(group);
            return;
        }
        int generation = group.generation();
        group.timers().sync(store.context().loop().after(group.rebalanceTimeoutMs(), () -> endSync(group, generation)));
        for (ClassicMember member : List.copyOf(group.members())) {
            restartSession(group, member);
            member.completeJoin(joined(group, member, false));
        }
    }

    private void endSync(ClassicGroup group, int generation) {
        if (generation != group.generation() || group.pendingSync().isEmpty()) {
            return;
        }
        for (String id : List.copyOf(group.pendingSync())) {
            group.member(id).ifPresent(group::remove);
        }
        prepare(group);
    }

    static JoinGroupResponseData joined(ClassicGroup group, ClassicMember member, boolean skipAssignment) {
        String leader = group.leader();
        JoinGroupResponseData response = new JoinGroupResponseData()
                .setMemberId(member.id())
                .setGenerationId(group.generation())
                .setProtocolType(group.protocolTypeOrNull())
                .setProtocolName(group.protocolName())
                .setLeader(leader == null ? "" : leader)
                .setSkipAssignment(skipAssignment);
        if (group.isLeader(member.id())) {
            group.members()
                    .forEach(each -> response.members()
                            .add(new JoinGroupResponseMember()
                                    .setMemberId(each.id())
                                    .setGroupInstanceId(each.instanceId())
                                    .setMetadata(each.metadata(group.protocolName()))));
        }
        return response;
    }

    /** Nothing was heard of a member for its session timeout: it is gone, unless it waits for an answer. */
    void restartSession(ClassicGroup group, ClassicMember member) {
        startSession(group, member, member.sessionTimeoutMs());
    }

    /** A member that joins for the first time waits for the rebalance, but not for ever. */
    void startFirstSession(ClassicGroup group, ClassicMember member) {
        startSession(group, member, NEW_MEMBER_JOIN_TIMEOUT_MS);
    }

    private void startSession(ClassicGroup group, ClassicMember member, int timeoutMs) {
        member.session(store.context().loop().after(timeoutMs, () -> expire(group, member)));
    }

    private void expire(ClassicGroup group, ClassicMember member) {
        if (!member.isAwaiting()) {
            remove(group, member);
        }
    }

    void remove(ClassicGroup group, ClassicMember member) {
        group.remove(member);
        member.completeJoin(new JoinGroupResponseData().setErrorCode(Errors.UNKNOWN_MEMBER_ID.code()));
        member.completeSync(new SyncGroupResponseData().setErrorCode(Errors.UNKNOWN_MEMBER_ID.code()));
        if (group.isIn(ClassicState.STABLE, ClassicState.COMPLETING_REBALANCE)) {
            prepareOrComplete(group);
        } else if (group.state() == ClassicState.PREPARING_REBALANCE && group.hasAllMembersJoined()) {
            complete(group);
        }
    }

    void removePending(ClassicGroup group, String memberId) {
        group.timers().removePending(memberId);
        if (group.state() == ClassicState.PREPARING_REBALANCE && group.hasAllMembersJoined()) {
            complete(group);
        }
    }

    /** The coordinator is another node now: whoever waits is told to look for it. */
    void resign(ClassicGroup group) {
        group.cancelTimers();
        for (ClassicMember member : List.copyOf(group.members())) {
            member.completeJoin(new JoinGroupResponseData().setErrorCode(Errors.NOT_COORDINATOR.code()));
            member.completeSync(new SyncGroupResponseData().setErrorCode(Errors.NOT_COORDINATOR.code()));
        }
    }
}
