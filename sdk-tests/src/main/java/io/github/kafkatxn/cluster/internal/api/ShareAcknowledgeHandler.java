package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.api.ShareSessions.Part;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.share.Acknowledgement;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData.NodeEndpoint;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData.PartitionData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData.ShareAcknowledgeTopicResponse;
import org.apache.kafka.common.protocol.Errors;

/**
 * ShareAcknowledge (key 79, KIP-932).
 *
 * <p><b>Versions</b>: 1-2. 2 has renewals (KIP-1222).
 *
 * <p><b>Behaviour</b>: within a session that ShareFetch has opened; each partition for itself. Partitions without
 * acknowledgements are not answered.
 *
 * <p><b>Left out</b>: throttling.
 */
final class ShareAcknowledgeHandler implements ApiHandler<ShareAcknowledgeRequestData> {
    private final NodeContext node;
    private final ShareSessions sessions;

    ShareAcknowledgeHandler(NodeContext node, ShareSessions sessions) {
        this.node = node;
        this.sessions = sessions;
    }

    @Override
    public short key() {
        return ApiMessageType.SHARE_ACKNOWLEDGE.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.SHARE_ACKNOWLEDGE);
    }

    @Override
    public void handle(Call<ShareAcknowledgeRequestData> call) {
        ShareAcknowledgeRequestData request = call.request();
        Errors error = ShareRequests.checkMember(node, call, request.groupId(), request.memberId());
        if (error != Errors.NONE) {
            refuse(call, error);
            return;
        }
        ShareSessions.Member member =
                new ShareSessions.Member(request.groupId(), request.memberId(), request.shareSessionEpoch());
        error = sessions.acknowledge(member);
        if (error != Errors.NONE) {
            refuse(call, error);
            return;
        }
        new ShareAcks(node, call, member, request.isRenewAck()).process(acknowledgements(request), acked -> {
            if (request.shareSessionEpoch() == ShareSessions.FINAL) {
                sessions.end(member);
            }
            answer(call, acked);
        });
    }

    private static void refuse(Call<ShareAcknowledgeRequestData> call, Errors error) {
        call.answer(
                new ShareAcknowledgeResponseData().setErrorCode(error.code()).setErrorMessage(error.message()));
    }

    private void answer(Call<ShareAcknowledgeRequestData> call, Map<Part, Errors> acked) {
        ShareAcknowledgeResponseData response = new ShareAcknowledgeResponseData()
                .setAcquisitionLockTimeoutMs(
                        ShareRequests.lockMs(node, call.request().groupId()));
        Leaders.Hints hints = new Leaders(node).hints();
        acked.forEach((part, error) -> {
            PartitionData data =
                    new PartitionData().setPartitionIndex(part.partition()).setErrorCode(error.code());
            if (error == Errors.NOT_LEADER_OR_FOLLOWER) {
                node.image().get().topic(part.topicId()).ifPresent(topic -> {
                    PartitionInfo info = hints.of(new TopicPartition(topic.name(), part.partition()));
                    data.currentLeader().setLeaderId(info.leader()).setLeaderEpoch(info.leaderEpoch());
                });
            }
            topic(response, part).partitions().add(data);
        });
        hints.nodes()
                .forEach(leader -> response.nodeEndpoints()
                        .add(new NodeEndpoint()
                                .setNodeId(leader.id())
                                .setHost(leader.host())
                                .setPort(leader.port())));
        call.answer(response);
    }

    private static ShareAcknowledgeTopicResponse topic(ShareAcknowledgeResponseData response, Part part) {
        return Optional.ofNullable(response.responses().find(part.topicId())).orElseGet(() -> {
            ShareAcknowledgeTopicResponse added = new ShareAcknowledgeTopicResponse().setTopicId(part.topicId());
            response.responses().add(added);
            return added;
        });
    }

    private static Map<Part, List<Acknowledgement>> acknowledgements(ShareAcknowledgeRequestData request) {
        Map<Part, List<Acknowledgement>> acks = new LinkedHashMap<>();
        request.topics()
                .forEach(topic -> topic.partitions().stream()
                        .filter(partition -> !partition.acknowledgementBatches().isEmpty())
                        .forEach(partition -> acks.put(
                                new Part(topic.topicId(), partition.partitionIndex()),
                                partition.acknowledgementBatches().stream()
                                        .map(batch -> new Acknowledgement(
                                                batch.firstOffset(), batch.lastOffset(), batch.acknowledgeTypes()))
                                        .toList())));
        return acks;
    }
}
