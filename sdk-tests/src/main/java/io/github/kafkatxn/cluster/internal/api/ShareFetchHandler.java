package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.api.ShareRequests.Target;
import io.github.kafkatxn.cluster.internal.api.ShareSessions.Part;
import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.share.Acknowledgement;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData.NodeEndpoint;
import org.apache.kafka.common.message.ShareFetchResponseData.PartitionData;
import org.apache.kafka.common.message.ShareFetchResponseData.ShareFetchableTopicResponse;
import org.apache.kafka.common.protocol.Errors;

/**
 * ShareFetch (key 78, KIP-932).
 *
 * <p><b>Versions</b>: 1-2. 2 has the acquire mode (KIP-1206) and renewals (KIP-1222).
 *
 * <p><b>Behaviour</b>: in sessions; acknowledgements first, then records, for which it waits by the machine's time. An
 * answer leaves out partitions of which there is nothing to say, unless they are new in the session.
 *
 * <p><b>Left out</b>: throttling; the maximum of bytes of single partitions, which no client sets.
 */
final class ShareFetchHandler implements ApiHandler<ShareFetchRequestData> {
    /** The acquire mode in which batches are cut so that there are no more records than wanted. */
    static final byte RECORD_LIMIT = 1;

    private final NodeContext node;
    private final ShareSessions sessions;

    ShareFetchHandler(NodeContext node, ShareSessions sessions) {
        this.node = node;
        this.sessions = sessions;
    }

    @Override
    public short key() {
        return ApiMessageType.SHARE_FETCH.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.SHARE_FETCH);
    }

    @Override
    public void handle(Call<ShareFetchRequestData> call) {
        ShareFetchRequestData request = call.request();
        Map<Part, List<Acknowledgement>> acks = acknowledgements(request);
        Errors error = check(call, !acks.isEmpty());
        if (error != Errors.NONE) {
            refuse(call, error);
            return;
        }
        ShareSessions.Member member =
                new ShareSessions.Member(request.groupId(), request.memberId(), request.shareSessionEpoch());
        ShareSessions.Scope scope = sessions.fetch(call, member, asked(request), forgotten(request));
        if (scope.error() != Errors.NONE) {
            refuse(call, scope.error());
            return;
        }
        if (request.shareAcquireMode() < 0 || request.shareAcquireMode() > RECORD_LIMIT) {
            refuse(call, Errors.UNKNOWN_SERVER_ERROR);
            return;
        }
        new ShareAcks(node, call, member, request.isRenewAck()).process(acks, acked -> {
            if (request.shareSessionEpoch() == ShareSessions.FINAL) {
                sessions.end(member);
                answer(call, scope, Map.of(), acked);
            } else if (request.maxBytes() <= 0 || request.maxRecords() <= 0) {
                answer(call, scope, Map.of(), acked);
            } else {
                fetch(call, scope, acked);
            }
        });
    }

    private Errors check(Call<ShareFetchRequestData> call, boolean acknowledges) {
        ShareFetchRequestData request = call.request();
        Errors error = ShareRequests.checkMember(node, call, request.groupId(), request.memberId());
        if (error != Errors.NONE) {
            return error;
        }
        boolean limited =
                request.maxWaitMs() > 0 || request.minBytes() > 0 || request.maxBytes() > 0 || request.maxRecords() > 0;
        return (request.isRenewAck() && limited)
                        || (acknowledges && request.shareSessionEpoch() == ShareSessions.INITIAL)
                ? Errors.INVALID_REQUEST
                : Errors.NONE;
    }

    private void fetch(Call<ShareFetchRequestData> call, ShareSessions.Scope scope, Map<Part, Errors> acked) {
        // Another partition is the first one each time, so that none starves.
        List<Part> rotated = new ArrayList<>(scope.parts());
        Collections.rotate(rotated, -call.request().shareSessionEpoch());
        Map<Part, LedPartition> led = new LinkedHashMap<>();
        Map<Part, PartitionData> refused = new LinkedHashMap<>();
        for (Part part : rotated) {
            Target target = ShareRequests.target(node, call, part.topicId(), part.partition());
            if (target.led() != null) {
                led.put(part, target.led());
            } else {
                refused.put(
                        part,
                        PendingShareFetch.empty(part.partition())
                                .setErrorCode(target.error().code()));
            }
        }
        new PendingShareFetch(node, call, results -> {
                    Map<Part, PartitionData> all = new LinkedHashMap<>(refused);
                    all.putAll(results);
                    answer(call, scope, all, acked);
                })
                .start(led, refused.isEmpty() ? call.request().maxWaitMs() : 0);
    }

    private void answer(
            Call<ShareFetchRequestData> call,
            ShareSessions.Scope scope,
            Map<Part, PartitionData> fetched,
            Map<Part, Errors> acked) {
        ShareFetchResponseData response = new ShareFetchResponseData()
                .setAcquisitionLockTimeoutMs(
                        ShareRequests.lockMs(node, call.request().groupId()));
        Map<Part, PartitionData> all = new LinkedHashMap<>(fetched);
        acked.forEach((part, error) -> all.computeIfAbsent(part, key -> PendingShareFetch.empty(part.partition()))
                .setAcknowledgeErrorCode(error.code()));
        Leaders.Hints hints = new Leaders(node).hints();
        all.forEach((part, data) -> {
            boolean says = data.errorCode() != 0
                    || data.records().sizeInBytes() > 0
                    || !data.acquiredRecords().isEmpty()
                    || acked.containsKey(part)
                    || scope.added().contains(part);
            if (says) {
                hint(hints, part, data);
                topic(response, part).partitions().add(data);
            }
        });
        hints.nodes()
                .forEach(leader -> response.nodeEndpoints()
                        .add(new NodeEndpoint()
                                .setNodeId(leader.id())
                                .setHost(leader.host())
                                .setPort(leader.port())));
        call.answer(response);
    }

    private void hint(Leaders.Hints hints, Part part, PartitionData data) {
        boolean wrong = data.errorCode() == Errors.NOT_LEADER_OR_FOLLOWER.code()
                || data.acknowledgeErrorCode() == Errors.NOT_LEADER_OR_FOLLOWER.code();
        if (wrong) {
            node.image().get().topic(part.topicId()).ifPresent(topic -> {
                PartitionInfo info = hints.of(new TopicPartition(topic.name(), part.partition()));
                data.currentLeader().setLeaderId(info.leader()).setLeaderEpoch(info.leaderEpoch());
            });
        }
    }

    private static ShareFetchableTopicResponse topic(ShareFetchResponseData response, Part part) {
        return Optional.ofNullable(response.responses().find(part.topicId())).orElseGet(() -> {
            ShareFetchableTopicResponse added = new ShareFetchableTopicResponse().setTopicId(part.topicId());
            response.responses().add(added);
            return added;
        });
    }

    private static void refuse(Call<ShareFetchRequestData> call, Errors error) {
        call.answer(new ShareFetchResponseData().setErrorCode(error.code()).setErrorMessage(error.message()));
    }

    private static List<Part> asked(ShareFetchRequestData request) {
        List<Part> asked = new ArrayList<>();
        request.topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> asked.add(new Part(topic.topicId(), partition.partitionIndex()))));
        return asked;
    }

    private static List<Part> forgotten(ShareFetchRequestData request) {
        List<Part> forgotten = new ArrayList<>();
        request.forgottenTopicsData()
                .forEach(topic -> topic.partitions().forEach(index -> forgotten.add(new Part(topic.topicId(), index))));
        return forgotten;
    }

    private static Map<Part, List<Acknowledgement>> acknowledgements(ShareFetchRequestData request) {
        Map<Part, List<Acknowledgement>> acks = new LinkedHashMap<>();
        request.topics()
                .forEach(topic -> topic.partitions().forEach(partition -> {
                    if (!partition.acknowledgementBatches().isEmpty()) {
                        acks.put(
                                new Part(topic.topicId(), partition.partitionIndex()),
                                partition.acknowledgementBatches().stream()
                                        .map(batch -> new Acknowledgement(
                                                batch.firstOffset(), batch.lastOffset(), batch.acknowledgeTypes()))
                                        .toList());
                    }
                }));
        return acks;
    }
}
