package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.node.EventLoop;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.jspecify.annotations.Nullable;

/** A member of a group of the consumer protocol (KIP-848): what it said of itself, and how far it has come. */
final class ConsumerMember {
    /** Of a static member that has left for a while. */
    static final int LEFT_FOR_A_WHILE = -2;

    /** How far a member is on its way to what it shall have. */
    enum State {
        /** It has what it shall have. */
        STABLE,
        /** It stays at its epoch until it has given partitions away. */
        UNREVOKED_PARTITIONS,
        /** It waits for partitions that others still have. */
        UNRELEASED_PARTITIONS
    }

    private final String id;
    private final Map<AssignedPartition, Integer> assigned = new TreeMap<>();
    private final Map<AssignedPartition, Integer> revoking = new TreeMap<>();
    private @Nullable String instanceId;
    private @Nullable String rackId;
    private @Nullable String assignor;
    private String clientId = "";
    private String clientHost = "";
    private int rebalanceTimeoutMs = -1;
    private Set<String> topics = Set.of();
    private @Nullable String regex;
    private State state = State.STABLE;
    private int epoch;
    private int previousEpoch = -1;
    private EventLoop.@Nullable Timer sessionTimer;
    private EventLoop.@Nullable Timer rebalanceTimer;

    ConsumerMember(String id) {
        this.id = id;
    }

    /** The same static member under the id of its new incarnation, which has not said anything yet. */
    ConsumerMember renamed(String newId) {
        ConsumerMember member = new ConsumerMember(newId);
        member.instanceId = instanceId;
        member.rackId = rackId;
        member.assignor = assignor;
        member.rebalanceTimeoutMs = rebalanceTimeoutMs;
        member.topics = topics;
        member.regex = regex;
        member.assigned.putAll(assigned);
        return member;
    }

    /** Takes over what a heartbeat says of the member; what is left out stays. */
    void update(ConsumerGroupHeartbeatRequestData request, Caller caller) {
        clientId = caller.clientId();
        clientHost = caller.clientHost();
        instanceId = request.instanceId() == null ? instanceId : request.instanceId();
        rackId = request.rackId() == null ? rackId : request.rackId();
        assignor = request.serverAssignor() == null ? assignor : request.serverAssignor();
        rebalanceTimeoutMs = request.rebalanceTimeoutMs() == -1 ? rebalanceTimeoutMs : request.rebalanceTimeoutMs();
        topics = request.subscribedTopicNames() == null ? topics : new TreeSet<>(request.subscribedTopicNames());
        if (request.subscribedTopicRegex() != null) {
            regex = request.subscribedTopicRegex().isEmpty() ? null : request.subscribedTopicRegex();
        }
    }

    /** Takes over what the log says. */
    void restore(
            @Nullable String storedInstance,
            @Nullable String storedRack,
            @Nullable String storedAssignor,
            String storedClientId,
            String storedClientHost,
            int storedRebalanceTimeout,
            Set<String> storedTopics,
            @Nullable String storedRegex) {
        instanceId = storedInstance;
        rackId = storedRack;
        assignor = storedAssignor;
        clientId = storedClientId;
        clientHost = storedClientHost;
        rebalanceTimeoutMs = storedRebalanceTimeout;
        topics = storedTopics;
        regex = storedRegex;
    }

    void restoreEpochs(State storedState, int storedEpoch, int storedPreviousEpoch) {
        state = storedState;
        epoch = storedEpoch;
        previousEpoch = storedPreviousEpoch;
    }

    String id() {
        return id;
    }

    @Nullable
    String instanceId() {
        return instanceId;
    }

    @Nullable
    String rackId() {
        return rackId;
    }

    @Nullable
    String assignor() {
        return assignor;
    }

    String clientId() {
        return clientId;
    }

    String clientHost() {
        return clientHost;
    }

    int rebalanceTimeoutMs() {
        return rebalanceTimeoutMs;
    }

    Set<String> topics() {
        return topics;
    }

    @Nullable
    String regex() {
        return regex;
    }

    State state() {
        return state;
    }

    int epoch() {
        return epoch;
    }

    int previousEpoch() {
        return previousEpoch;
    }

    /** {@return the partitions it has, each with the epoch at which it got it} */
    Map<AssignedPartition, Integer> assigned() {
        return assigned;
    }

    /** {@return the partitions it shall give away, each with the epoch at which it got it} */
    Map<AssignedPartition, Integer> revoking() {
        return revoking;
    }

    boolean holds(AssignedPartition partition) {
        return assigned.containsKey(partition) || revoking.containsKey(partition);
    }

    void reach(State next, int newEpoch) {
        state = next;
        if (newEpoch != epoch) {
            previousEpoch = epoch;
            epoch = newEpoch;
        }
    }

    void leaveForAWhile() {
        reach(State.STABLE, LEFT_FOR_A_WHILE);
        revoking.clear();
        assigned.replaceAll((partition, since) -> 0);
    }

    void session(EventLoop.@Nullable Timer timer) {
        if (sessionTimer != null) {
            sessionTimer.cancel();
        }
        sessionTimer = timer;
    }

    boolean isRebalanceTimed() {
        return rebalanceTimer != null;
    }

    void rebalance(EventLoop.@Nullable Timer timer) {
        if (rebalanceTimer != null) {
            rebalanceTimer.cancel();
        }
        rebalanceTimer = timer;
    }

    void cancelTimers() {
        session(null);
        rebalance(null);
    }
}
