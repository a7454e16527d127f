package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.node.EventLoop;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.internals.ConsumerProtocol;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.jspecify.annotations.Nullable;

/** A member of a classic group, with the answers it waits for. */
final class ClassicMember {
    private static final byte[] NOTHING = {};

    private final String id;
    private final @Nullable String instanceId;
    private final String clientId;
    private final String clientHost;
    private int sessionTimeoutMs;
    private int rebalanceTimeoutMs;
    private Map<String, byte[]> protocols;
    private byte[] assignment = NOTHING;
    private EventLoop.@Nullable Timer sessionTimer;
    private @Nullable Consumer<JoinGroupResponseData> awaitingJoin;
    private @Nullable Consumer<SyncGroupResponseData> awaitingSync;

    ClassicMember(
            String id,
            @Nullable String instanceId,
            String clientId,
            String clientHost,
            int sessionTimeoutMs,
            int rebalanceTimeoutMs,
            Map<String, byte[]> protocols) {
        this.id = id;
        this.instanceId = instanceId;
        this.clientId = clientId;
        this.clientHost = clientHost;
        this.sessionTimeoutMs = sessionTimeoutMs;
        this.rebalanceTimeoutMs = rebalanceTimeoutMs;
        this.protocols = protocols;
    }

    static ClassicMember joining(String id, Caller caller, JoinGroupRequestData request) {
        return new ClassicMember(
                id,
                request.groupInstanceId(),
                caller.clientId(),
                caller.clientHost(),
                request.sessionTimeoutMs(),
                request.rebalanceTimeoutMs(),
                protocolsOf(request));
    }

    /** The same static member under the id of its new incarnation; it does not wait for anything. */
    ClassicMember renamed(String newId) {
        ClassicMember member = new ClassicMember(
                newId, instanceId, clientId, clientHost, sessionTimeoutMs, rebalanceTimeoutMs, protocols);
        member.assignment = assignment;
        return member;
    }

    void update(JoinGroupRequestData request) {
        sessionTimeoutMs = request.sessionTimeoutMs();
        rebalanceTimeoutMs = request.rebalanceTimeoutMs();
        protocols = protocolsOf(request);
    }

    static Map<String, byte[]> protocolsOf(JoinGroupRequestData request) {
        Map<String, byte[]> protocols = new LinkedHashMap<>();
        for (JoinGroupRequestProtocol protocol : request.protocols()) {
            protocols.put(protocol.name(), protocol.metadata());
        }
        return protocols;
    }

    String id() {
        return id;
    }

    @Nullable
    String instanceId() {
        return instanceId;
    }

    boolean isStatic() {
        return instanceId != null;
    }

    String clientId() {
        return clientId;
    }

    String clientHost() {
        return clientHost;
    }

    int sessionTimeoutMs() {
        return sessionTimeoutMs;
    }

    int rebalanceTimeoutMs() {
        return rebalanceTimeoutMs;
    }

    /** {@return the metadata of each protocol it can do, the one it likes best first} */
    Map<String, byte[]> protocols() {
        return protocols;
    }

    boolean hasProtocols(JoinGroupRequestData request) {
        Map<String, byte[]> other = protocolsOf(request);
        return List.copyOf(protocols.keySet()).equals(List.copyOf(other.keySet()))
                && protocols.entrySet().stream()
                        .allMatch(entry -> Arrays.equals(entry.getValue(), other.get(entry.getKey())));
    }

    /** {@return what a consumer asks for} Throws a SchemaException if this is none. */
    ConsumerPartitionAssignor.Subscription subscription(@Nullable String protocol) {
        return ConsumerProtocol.deserializeSubscription(ByteBuffer.wrap(metadata(protocol)));
    }

    byte[] metadata(@Nullable String protocol) {
        return protocol == null ? NOTHING : protocols.getOrDefault(protocol, NOTHING);
    }

    byte[] assignment() {
        return assignment;
    }

    void assign(byte[] newAssignment) {
        assignment = newAssignment;
    }

    void unassign() {
        assignment = NOTHING;
    }

    void session(EventLoop.@Nullable Timer timer) {
        if (sessionTimer != null) {
            sessionTimer.cancel();
        }
        sessionTimer = timer;
    }

    boolean isAwaitingJoin() {
        return awaitingJoin != null;
    }

    boolean isAwaiting() {
        return awaitingJoin != null || awaitingSync != null;
    }

    void awaitJoin(Consumer<JoinGroupResponseData> answer) {
        awaitingJoin = answer;
    }

    void awaitSync(Consumer<SyncGroupResponseData> answer) {
        awaitingSync = answer;
    }

    void completeJoin(JoinGroupResponseData response) {
        Consumer<JoinGroupResponseData> answer = awaitingJoin;
        awaitingJoin = null;
        if (answer != null) {
            answer.accept(response);
        }
    }

    void completeSync(SyncGroupResponseData response) {
        Consumer<SyncGroupResponseData> answer = awaitingSync;
        awaitingSync = null;
        if (answer != null) {
            answer.accept(response);
        }
    }
}
