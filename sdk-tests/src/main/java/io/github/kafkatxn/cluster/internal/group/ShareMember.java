package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.node.EventLoop;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.message.ShareGroupHeartbeatRequestData;
import org.jspecify.annotations.Nullable;

/** A member of a share group (KIP-932): what it said of itself, and what it was told last. */
final class ShareMember {
    private final String id;
    private @Nullable String rackId;
    private String clientId = "";
    private String clientHost = "";
    private Set<String> topics = Set.of();
    private Set<AssignedPartition> assigned = Set.of();
    private int epoch;
    private int previousEpoch = -1;
    private EventLoop.@Nullable Timer session;

    ShareMember(String id) {
        this.id = id;
    }

    /** Takes over what a heartbeat says of the member; what is left out stays. */
    void update(ShareGroupHeartbeatRequestData request, Caller caller) {
        clientId = caller.clientId();
        clientHost = caller.clientHost();
        rackId = request.rackId() == null ? rackId : request.rackId();
        topics = request.subscribedTopicNames() == null ? topics : new TreeSet<>(request.subscribedTopicNames());
    }

    /** Takes over what the log says. */
    void restore(
            @Nullable String storedRack, String storedClientId, String storedClientHost, Set<String> storedTopics) {
        rackId = storedRack;
        clientId = storedClientId;
        clientHost = storedClientHost;
        topics = storedTopics;
    }

    void restore(int storedEpoch, int storedPreviousEpoch, Set<AssignedPartition> storedAssigned) {
        epoch = storedEpoch;
        previousEpoch = storedPreviousEpoch;
        assigned = storedAssigned;
    }

    /** It is told of its part of the target, which belongs to an epoch. */
    void reach(int targetEpoch, Set<AssignedPartition> target) {
        if (targetEpoch != epoch) {
            previousEpoch = epoch;
            epoch = targetEpoch;
        }
        assigned = target;
    }

    String id() {
        return id;
    }

    @Nullable
    String rackId() {
        return rackId;
    }

    String clientId() {
        return clientId;
    }

    String clientHost() {
        return clientHost;
    }

    Set<String> topics() {
        return topics;
    }

    Set<AssignedPartition> assigned() {
        return assigned;
    }

    int epoch() {
        return epoch;
    }

    int previousEpoch() {
        return previousEpoch;
    }

    void session(EventLoop.@Nullable Timer timer) {
        if (session != null) {
            session.cancel();
        }
        session = timer;
    }
}
