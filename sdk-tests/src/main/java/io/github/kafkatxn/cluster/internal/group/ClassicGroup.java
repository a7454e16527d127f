package io.github.kafkatxn.cluster.internal.group;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.types.SchemaException;
import org.jspecify.annotations.Nullable;

/**
 * A group whose members agree among themselves who gets what: the coordinator collects them and hands around what the
 * leader decides. Without members it is what keeps the offsets of consumers that assign their partitions themselves.
 */
final class ClassicGroup extends Group {
    static final String CONSUMER = "consumer";

    private final Map<String, ClassicMember> members = new TreeMap<>();
    private final Set<String> pendingSync = new HashSet<>();
    private final ClassicTimers timers = new ClassicTimers();
    private ClassicState state = ClassicState.EMPTY;
    private ClassicState previousState = ClassicState.EMPTY;
    private @Nullable String protocolType;
    private @Nullable String protocolName;
    private @Nullable String leader;
    private int generation;
    private boolean newMemberAdded;

    ClassicGroup(String id) {
        super(id);
    }

    @Override
    String typeName() {
        return "classic";
    }

    @Override
    String stateName() {
        return state.text();
    }

    @Override
    String protocolType() {
        return protocolType == null ? "" : protocolType;
    }

    @Override
    boolean isEmpty() {
        return state == ClassicState.EMPTY;
    }

    /** Also if that is not known. */
    @Override
    boolean isSubscribedTo(String topic) {
        String protocol = protocolName;
        if (!members.isEmpty() && (!CONSUMER.equals(protocolType) || protocol == null)) {
            return true;
        }
        try {
            return members.values().stream()
                    .anyMatch(member -> member.subscription(protocol).topics().contains(topic));
        } catch (SchemaException e) {
            return true;
        }
    }

    @Override
    CommitCheck checkCommit(Committer committer) {
        if (committer.epoch() < 0 && state == ClassicState.EMPTY) {
            return CommitCheck.NONE;
        }
        if (!committer.isUnnamed()) {
            checkMember(committer.memberId(), committer.instanceId());
            if (committer.epoch() != generation) {
                throw Errors.ILLEGAL_GENERATION.exception();
            }
        } else if (!committer.transactional()) {
            throw Errors.UNKNOWN_MEMBER_ID.exception();
        }
        if (!committer.transactional() && state == ClassicState.COMPLETING_REBALANCE) {
            throw Errors.REBALANCE_IN_PROGRESS.exception();
        }
        return CommitCheck.NONE;
    }

    @Override
    void checkFetch(@Nullable String memberId, int memberEpoch) {
        // A classic group lets everybody read.
    }

    @Override
    void checkOffsetDelete() {
        if (state != ClassicState.EMPTY && !CONSUMER.equals(protocolType)) {
            throw Errors.NON_EMPTY_GROUP.exception();
        }
    }

    @Override
    void checkDelete() {
        if (state != ClassicState.EMPTY) {
            throw Errors.NON_EMPTY_GROUP.exception();
        }
    }

    @Override
    GroupView view() {
        return new GroupView(
                id(),
                typeName(),
                stateName(),
                generation,
                members.values().stream()
                        .map(member -> new GroupView.Member(member.id(), member.instanceId(), generation, Set.of()))
                        .toList());
    }

    /** Throws what is wrong with a member's name. */
    void checkMember(String memberId, @Nullable String instanceId) {
        if (instanceId != null) {
            ClassicMember owner = staticMember(instanceId).orElseThrow(Errors.UNKNOWN_MEMBER_ID::exception);
            if (!owner.id().equals(memberId)) {
                throw Errors.FENCED_INSTANCE_ID.exception();
            }
        }
        if (!members.containsKey(memberId)) {
            throw Errors.UNKNOWN_MEMBER_ID.exception();
        }
    }

    ClassicState state() {
        return state;
    }

    boolean isIn(ClassicState first, ClassicState... others) {
        return state == first || List.of(others).contains(state);
    }

    ClassicState previousState() {
        return previousState;
    }

    void transitionTo(ClassicState next) {
        previousState = state;
        state = next;
    }

    int generation() {
        return generation;
    }

    @Nullable
    String protocolName() {
        return protocolName;
    }

    @Nullable
    String protocolTypeOrNull() {
        return protocolType;
    }

    @Nullable
    String leader() {
        return leader;
    }

    boolean isLeader(String memberId) {
        return memberId.equals(leader);
    }

    /** Takes over what the log says. */
    void restore(
            int storedGeneration,
            @Nullable String storedType,
            @Nullable String storedProtocol,
            @Nullable String storedLeader,
            Collection<ClassicMember> storedMembers) {
        generation = storedGeneration;
        protocolType = storedType;
        protocolName = storedProtocol;
        leader = storedLeader;
        storedMembers.forEach(member -> members.put(member.id(), member));
        state = members.isEmpty() ? ClassicState.EMPTY : ClassicState.STABLE;
    }

    /** {@return its members, by their ids} */
    Collection<ClassicMember> members() {
        return members.values();
    }

    Optional<ClassicMember> member(String memberId) {
        return Optional.ofNullable(members.get(memberId));
    }

    Optional<ClassicMember> staticMember(String instanceId) {
        return members.values().stream()
                .filter(member -> instanceId.equals(member.instanceId()))
                .findFirst();
    }

    void add(ClassicMember member, String itsProtocolType) {
        if (members.isEmpty()) {
            protocolType = itsProtocolType;
        }
        if (leader == null) {
            leader = member.id();
        }
        members.put(member.id(), member);
        timers.removePending(member.id());
    }

    void replace(ClassicMember old, ClassicMember renamed) {
        old.session(null);
        members.remove(old.id());
        members.put(renamed.id(), renamed);
        if (isLeader(old.id())) {
            leader = renamed.id();
        }
    }

    void remove(ClassicMember member) {
        member.session(null);
        members.remove(member.id());
        pendingSync.remove(member.id());
        if (isLeader(member.id())) {
            leader = members.keySet().stream().findFirst().orElse(null);
        }
    }

    boolean hasAllMembersJoined() {
        return timers.nobodyIsPending() && members.values().stream().allMatch(ClassicMember::isAwaitingJoin);
    }

    /** {@return whether there is a leader that takes part in this rebalance} */
    boolean electLeader() {
        if (leader != null && members.containsKey(leader) && members.get(leader).isAwaitingJoin()) {
            return true;
        }
        Optional<ClassicMember> joined =
                members.values().stream().filter(ClassicMember::isAwaitingJoin).findFirst();
        joined.ifPresent(member -> leader = member.id());
        return joined.isPresent();
    }

    /** The next generation begins: with its members, or empty. */
    void nextGeneration() {
        generation++;
        pendingSync.clear();
        if (members.isEmpty()) {
            protocolName = null;
            leader = null;
            transitionTo(ClassicState.EMPTY);
        } else {
            protocolName = ProtocolVote.winner(members.values()).orElse(null);
            pendingSync.addAll(members.keySet());
            transitionTo(ClassicState.COMPLETING_REBALANCE);
        }
    }

    boolean supports(String type, Set<String> protocols) {
        if (type.isEmpty() || protocols.isEmpty()) {
            return false;
        }
        return members.isEmpty()
                || (type.equals(protocolType)
                        && ProtocolVote.common(members.values()).stream().anyMatch(protocols::contains));
    }

    int rebalanceTimeoutMs() {
        return members.values().stream()
                .mapToInt(ClassicMember::rebalanceTimeoutMs)
                .max()
                .orElse(0);
    }

    Set<String> pendingSync() {
        return pendingSync;
    }

    boolean newMemberAdded() {
        return newMemberAdded;
    }

    void newMemberAdded(boolean added) {
        newMemberAdded = added;
    }

    ClassicTimers timers() {
        return timers;
    }

    void cancelTimers() {
        timers.cancel();
        members.values().forEach(member -> member.session(null));
    }
}
