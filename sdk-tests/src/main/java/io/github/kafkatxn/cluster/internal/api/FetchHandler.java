package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.NodeEndpoint;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Fetch (key 1).
 *
 * <p><b>Versions</b>: 4-18. From 7 on in sessions, from 13 on topics have ids, from 16 on the new leader goes with
 * NOT_LEADER_OR_FOLLOWER and FENCED_LEADER_EPOCH.
 *
 * <p><b>Behaviour</b>: waits for the minimum of bytes, by the machine's time. A limit may cut off the last batch, but
 * the first one of an answer is whole however large it is. With read_committed it reads up to the last stable offset
 * and names the aborted transactions; it is then woken by markers, not by records. An incremental answer leaves out
 * what has not changed.
 *
 * <p><b>Left out</b>: replication (a follower is answered like a consumer), nearest replicas, tiered storage, quotas.
 * Sessions make room for others only when they were idle for two minutes, whatever their size.
 */
final class FetchHandler implements ApiHandler<FetchRequestData> {
    private final NodeContext node;
    private final FetchSessions sessions;

    FetchHandler(NodeContext node) {
        this.node = node;
        this.sessions = new FetchSessions(node);
    }

    @Override
    public short key() {
        return ApiMessageType.FETCH.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.FETCH);
    }

    @Override
    public void handle(Call<FetchRequestData> call) {
        FetchRequestData request = call.request();
        FetchSessions.Scope scope = sessions.enter(request, call.version());
        if (scope.error() != Errors.NONE) {
            call.answer(new FetchResponseData().setErrorCode(scope.error().code()));
            return;
        }
        List<FetchTarget> readable = new ArrayList<>();
        List<FetchReader.Part> refused = new ArrayList<>();
        for (FetchTarget target : scope.targets()) {
            Errors error = check(call.principal(), target);
            if (error == Errors.NONE) {
                readable.add(target);
            } else {
                refused.add(new FetchReader.Part(
                        target, FetchReader.failed(target.key().partition(), error)));
            }
        }
        int maxBytes = (int) Math.min(request.maxBytes(), node.settings().number("fetch.max.bytes"));
        boolean committed = request.isolationLevel() == IsolationLevel.READ_COMMITTED.id();
        FetchReader reader = new FetchReader(node, committed, maxBytes);
        new PendingFetch(node, call, reader, readable, Math.min(request.minBytes(), maxBytes), result -> {
                    List<FetchReader.Part> parts = new ArrayList<>(result.parts());
                    parts.addAll(refused);
                    answer(call, scope, parts);
                })
                .start(request.maxWaitMs());
    }

    private Errors check(String principal, FetchTarget target) {
        String topic = target.topic();
        if (topic == null) {
            return Errors.UNKNOWN_TOPIC_ID;
        }
        if (!node.authorizer().allows(principal, AclOperation.READ, ResourceType.TOPIC, topic)) {
            return Errors.TOPIC_AUTHORIZATION_FAILED;
        }
        boolean there = node.image().get().partition(target.partition()).isPresent();
        return there ? Errors.NONE : Errors.UNKNOWN_TOPIC_OR_PARTITION;
    }

    private void answer(Call<FetchRequestData> call, FetchSessions.Scope scope, List<FetchReader.Part> parts) {
        FetchResponseData response = new FetchResponseData();
        List<FetchReader.Part> told = parts;
        FetchSession session = scope.session();
        if (session != null) {
            response.setSessionId(session.id());
            if (session.epoch() != FetchSession.next(call.request().sessionEpoch())) {
                call.answer(response.setErrorCode(Errors.INVALID_FETCH_SESSION_EPOCH.code()));
                return;
            }
            told = new ArrayList<>();
            for (FetchReader.Part part : parts) {
                if (part.target().tell(part.data())) {
                    told.add(part);
                    if (part.data().records().sizeInBytes() > 0) {
                        session.moveToEnd(part.target());
                    }
                }
            }
        } else if (scope.opens()) {
            sessions.open(scope.targets(), call.version()).ifPresent(opened -> response.setSessionId(opened.id()));
            parts.forEach(part -> part.target().tell(part.data()));
        }
        encode(response, told, call.version() >= 16);
        call.answer(response);
    }

    private void encode(FetchResponseData response, List<FetchReader.Part> parts, boolean namesLeaders) {
        Leaders.Hints hints = new Leaders(node).hints();
        FetchTarget.Key last = null;
        for (FetchReader.Part part : parts) {
            FetchTarget.Key key = part.target().key();
            if (last == null
                    || !last.topicId().equals(key.topicId())
                    || !last.topic().equals(key.topic())) {
                response.responses()
                        .add(new FetchableTopicResponse()
                                .setTopicId(key.topicId())
                                .setTopic(key.topic()));
            }
            last = key;
            if (namesLeaders && isWrongLeader(part)) {
                PartitionInfo info = hints.of(part.target().partition());
                part.data().currentLeader().setLeaderId(info.leader()).setLeaderEpoch(info.leaderEpoch());
            }
            response.responses()
                    .get(response.responses().size() - 1)
                    .partitions()
                    .add(part.data());
        }
        hints.nodes()
                .forEach(leader -> response.nodeEndpoints()
                        .add(new NodeEndpoint()
                                .setNodeId(leader.id())
                                .setHost(leader.host())
                                .setPort(leader.port())));
    }

    private static boolean isWrongLeader(FetchReader.Part part) {
        Errors error = Errors.forCode(part.data().errorCode());
        return error == Errors.NOT_LEADER_OR_FOLLOWER || error == Errors.FENCED_LEADER_EPOCH;
    }
}
