package io.github.kafkatxn.cluster.internal.group;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;

/** JoinGroup: who may come in, and whether that begins a rebalance. */
public final class ClassicJoin {
    /** From this version on members come back with the id they were given. */
    private static final int MEMBER_ID_REQUIRED_SINCE = 4;

    private static final int SKIP_ASSIGNMENT_SINCE = 9;

    private final GroupStore store;
    private final ClassicRebalance rebalance;

    ClassicJoin(GroupStore store, ClassicRebalance rebalance) {
        this.store = store;
        this.rebalance = rebalance;
    }

    /**
     * JoinGroup. What is wrong with it is thrown as an {@link ApiException}.
     *
     * @param caller who asks
     * @param request what
     * @param answer told at once, or when the group has a new generation
     */
    public void join(Caller caller, JoinGroupRequestData request, Consumer<JoinGroupResponseData> answer) {
        checkSessionTimeout(request);
        boolean isNew = request.memberId().isEmpty();
        ClassicGroup group = find(request, isNew);
        checkSize(group, request.memberId());
        if (!group.supports(
                request.protocolType(), ClassicMember.protocolsOf(request).keySet())) {
            throw Errors.INCONSISTENT_GROUP_PROTOCOL.exception();
        }
        if (!isNew) {
            joinKnown(caller, group, request, answer);
        } else if (request.groupInstanceId() != null) {
            joinStatic(caller, group, request, answer);
        } else if (caller.version() < MEMBER_ID_REQUIRED_SINCE) {
            add(caller, group, newId(caller.clientId()), request, answer);
        } else {
            handOutId(caller, group, request, answer);
        }
    }

    private void checkSessionTimeout(JoinGroupRequestData request) {
        long min = store.context().settings().number("group.min.session.timeout.ms");
        long max = store.context().settings().number("group.max.session.timeout.ms");
        if (request.sessionTimeoutMs() < min || request.sessionTimeoutMs() > max) {
            throw Errors.INVALID_SESSION_TIMEOUT.exception();
        }
    }

    private ClassicGroup find(JoinGroupRequestData request, boolean isNew) {
        Optional<Group> found = store.find(request.groupId());
        if (found.isPresent() && found.get() instanceof ClassicGroup group) {
            return group;
        }
        if (found.isPresent()
                && (found.get() instanceof ShareGroup || !found.get().isEmpty())) {
            throw Errors.INCONSISTENT_GROUP_PROTOCOL.exception();
        }
        if (found.isEmpty() && !isNew) {
            throw Errors.UNKNOWN_MEMBER_ID.exception();
        }
        ClassicGroup group = new ClassicGroup(request.groupId());
        store.put(group);
        store.save(group);
        return group;
    }

    private void checkSize(ClassicGroup group, String memberId) {
        long limit = store.context().settings().number("group.max.size");
        boolean known = group.member(memberId).isPresent();
        long counted = group.state() == ClassicState.PREPARING_REBALANCE
                ? group.members().stream().filter(ClassicMember::isAwaitingJoin).count()
                : group.members().size();
        if (!group.isEmpty() && !known && counted >= limit) {
            group.timers().removePending(memberId);
            throw Errors.GROUP_MAX_SIZE_REACHED.exception();
        }
    }

    private void handOutId(
            Caller caller, ClassicGroup group, JoinGroupRequestData request, Consumer<JoinGroupResponseData> answer) {
        String id = newId(caller.clientId());
        group.timers()
                .addPending(
                        id,
                        store.context()
                                .loop()
                                .after(request.sessionTimeoutMs(), () -> rebalance.removePending(group, id)));
        answer.accept(new JoinGroupResponseData().setMemberId(id).setErrorCode(Errors.MEMBER_ID_REQUIRED.code()));
    }

    private void joinStatic(
            Caller caller, ClassicGroup group, JoinGroupRequestData request, Consumer<JoinGroupResponseData> answer) {
        String instanceId = Objects.requireNonNull(request.groupInstanceId());
        String id = newId(instanceId);
        Optional<ClassicMember> before = group.staticMember(instanceId);
        if (before.isEmpty()) {
            add(caller, group, id, request, answer);
            return;
        }
        ClassicMember old = before.get();
        ClassicMember member = old.renamed(id);
        boolean wasLeader = group.isLeader(old.id());
        group.replace(old, member);
        old.completeJoin(
                new JoinGroupResponseData().setMemberId(old.id()).setErrorCode(Errors.FENCED_INSTANCE_ID.code()));
        old.completeSync(new SyncGroupResponseData().setErrorCode(Errors.FENCED_INSTANCE_ID.code()));
        member.update(request);
        rebalance.restartSession(group, member);
        if (group.state() == ClassicState.STABLE
                && Objects.equals(
                        group.protocolName(),
                        ProtocolVote.winner(group.members()).orElse(null))) {
            store.save(group);
            answer.accept(rejoined(caller, group, member, old.id(), wasLeader));
            return;
        }
        member.awaitJoin(answer);
        if (group.isIn(ClassicState.STABLE, ClassicState.COMPLETING_REBALANCE)) {
            rebalance.prepare(group);
        } else {
            rebalance.prepareOrComplete(group);
        }
    }

    /**
     * A static member that is back keeps generation and assignment. One that led is told of its members only if it also
     * understands that it must not assign anew; older clients are told of the leader before.
     */
    private static JoinGroupResponseData rejoined(
            Caller caller, ClassicGroup group, ClassicMember member, String oldId, boolean wasLeader) {
        if (caller.version() >= SKIP_ASSIGNMENT_SINCE) {
            return ClassicRebalance.joined(group, member, wasLeader);
        }
        JoinGroupResponseData response = ClassicRebalance.joined(group, member, false);
        response.members().clear();
        return wasLeader ? response.setLeader(oldId) : response;
    }

    private void joinKnown(
            Caller caller, ClassicGroup group, JoinGroupRequestData request, Consumer<JoinGroupResponseData> answer) {
        if (group.timers().isPending(request.memberId())) {
            add(caller, group, request.memberId(), request, answer);
            return;
        }
        group.checkMember(request.memberId(), request.groupInstanceId());
        ClassicMember member = group.member(request.memberId()).orElseThrow(Errors.UNKNOWN_MEMBER_ID::exception);
        boolean same = member.hasProtocols(request);
        boolean nothingNew = switch (group.state()) {
            case COMPLETING_REBALANCE -> same;
            case STABLE -> same && !group.isLeader(member.id());
            default -> false;
        };
        if (nothingNew) {
            answer.accept(ClassicRebalance.joined(group, member, false));
            return;
        }
        member.update(request);
        member.awaitJoin(answer);
        rebalance.prepareOrComplete(group);
    }

    private void add(
            Caller caller,
            ClassicGroup group,
            String id,
            JoinGroupRequestData request,
            Consumer<JoinGroupResponseData> answer) {
        ClassicMember member = ClassicMember.joining(id, caller, request);
        group.newMemberAdded(true);
        group.add(member, request.protocolType());
        member.awaitJoin(answer);
        rebalance.startFirstSession(group, member);
        rebalance.prepareOrComplete(group);
    }

    private static String newId(String prefix) {
        return prefix + "-" + Uuid.randomUuid();
    }
}
