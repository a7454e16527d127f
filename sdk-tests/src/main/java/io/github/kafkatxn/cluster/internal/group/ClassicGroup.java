package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.node.EventLoop;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.types.SchemaException;
import org.jspecify.annotations.Nullable;

/**
 * A group whose members agree among themselves who gets what: the coordinator collects them and hands around what the
 * leader decides. Without members it is what keeps the offsets of consumers that assign their partitions themselves.
 */
final class ClassicGroup extends Group {
    static final String CONSUMER = "consumer";

    /** Empty → PreparingRebalance → CompletingRebalance → Stable, back to PreparingRebalance from both, or to Empty. */
    enum State {
        EMPTY("Empty"),
        PREPARING_REBALANCE("PreparingRebalance"),
        COMPLETING_REBALANCE("CompletingRebalance"),
        STABLE("Stable");

        private final String text;

        State(String text) {
            this.text = text;
        }
    }

    private final Map<String, ClassicMember> members = new TreeMap<>();
    /** Ids that were handed out and have not come back yet, with what ends their time. */
    private final Map<String, EventLoop.Timer> pendingMembers = new HashMap<>();

    private final Set<String> pendingSync = new HashSet<>();
    private State state = State.EMPTY;
    private State previousState = State.EMPTY;
    private @Nullable String protocolType;
    private @Nullable String protocolName;
    private @Nullable String leader;
    private int generation;
    private boolean newMemberAdded;
    private EventLoop.@Nullable Timer joinTimer;
    private EventLoop.@Nullable Timer syncTimer;

    ClassicGroup(String id) {
        super(id);
    }

    @Override
    String typeName() {
        return "classic";
    }

    @Override
    String stateName() {
        return state.text;
    }

    @Override
    String protocolType() {
        return protocolType == null ? "" : protocolType;
    }

    @Override
    boolean isEmpty() {
        return state == State.EMPTY;
    }

    @Override
    boolean isSubscribedTo(String topic) {
        return subscribedTopics().map(topics -> topics.contains(topic)).orElse(true);
    }

    @Override
    CommitCheck checkCommit(Committer committer) {
        if (committer.epoch() < 0 && state == State.EMPTY) {
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
        if (!committer.transactional() && state == State.COMPLETING_REBALANCE) {
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
        if (state != State.EMPTY && !CONSUMER.equals(protocolType)) {
            throw Errors.NON_EMPTY_GROUP.exception();
        }
    }

    @Override
    void checkDelete() {
        if (state != State.EMPTY) {
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

    State state() {
        return state;
    }

    boolean isIn(State first, State... others) {
        return state == first || List.of(others).contains(state);
    }

    State previousState() {
        return previousState;
    }

    void transitionTo(State next) {
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
        state = members.isEmpty() ? State.EMPTY : State.STABLE;
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
        removePending(member.id());
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

    boolean isPending(String memberId) {
        return pendingMembers.containsKey(memberId);
    }

    void addPending(String memberId, EventLoop.Timer timer) {
        pendingMembers.put(memberId, timer);
    }

    void removePending(String memberId) {
        EventLoop.Timer timer = pendingMembers.remove(memberId);
        if (timer != null) {
            timer.cancel();
        }
    }

    boolean hasAllMembersJoined() {
        return pendingMembers.isEmpty() && members.values().stream().allMatch(ClassicMember::isAwaitingJoin);
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
            transitionTo(State.EMPTY);
        } else {
            protocolName = selectProtocol();
            pendingSync.addAll(members.keySet());
            transitionTo(State.COMPLETING_REBALANCE);
        }
    }

    /** {@return the protocol that all can do and that most of them like best} */
    @Nullable
    String selectProtocol() {
        Set<String> candidates = commonProtocols();
        Map<String, Integer> votes = new LinkedHashMap<>();
        members.values()
                .forEach(member -> member.protocols().keySet().stream()
                        .filter(candidates::contains)
                        .findFirst()
                        .ifPresent(best -> votes.merge(best, 1, Integer::sum)));
        return votes.entrySet().stream()
                .max(Comparator.comparing(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    boolean supports(String type, Set<String> protocols) {
        if (type.isEmpty() || protocols.isEmpty()) {
            return false;
        }
        return members.isEmpty()
                || (type.equals(protocolType) && commonProtocols().stream().anyMatch(protocols::contains));
    }

    int rebalanceTimeoutMs() {
        return members.values().stream()
                .mapToInt(ClassicMember::rebalanceTimeoutMs)
                .max()
                .orElse(0);
    }

    /** {@return the topics its consumers ask for; empty if that is not known} */
    Optional<Set<String>> subscribedTopics() {
        if (members.isEmpty()) {
            return Optional.of(Set.of());
        }
        if (!CONSUMER.equals(protocolType) || protocolName == null) {
            return Optional.empty();
        }
        Set<String> topics = new HashSet<>();
        try {
            for (ClassicMember member : members.values()) {
                topics.addAll(ConsumerProtocol.deserializeSubscription(ByteBuffer.wrap(member.metadata(protocolName)))
                        .topics());
            }
        } catch (SchemaException e) {
            return Optional.empty();
        }
        return Optional.of(topics);
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

    void joinTimer(EventLoop.@Nullable Timer timer) {
        if (joinTimer != null) {
            joinTimer.cancel();
        }
        joinTimer = timer;
    }

    void syncTimer(EventLoop.@Nullable Timer timer) {
        if (syncTimer != null) {
            syncTimer.cancel();
        }
        syncTimer = timer;
    }

    void cancelTimers() {
        joinTimer(null);
        syncTimer(null);
        members.values().forEach(member -> member.session(null));
        List.copyOf(pendingMembers.keySet()).forEach(this::removePending);
    }

    private Set<String> commonProtocols() {
        Set<String> common = new HashSet<>();
        boolean first = true;
        for (ClassicMember member : members.values()) {
            if (first) {
                common.addAll(member.protocols().keySet());
                first = false;
            } else {
                common.retainAll(member.protocols().keySet());
            }
        }
        return common;
    }
}
