package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetCommitRequest;
import org.apache.kafka.common.requests.OffsetCommitResponse;

/**
 * OffsetCommit (key 8).
 *
 * <p><b>Versions</b>: 2-10. Version 10 names topics by their ids.
 *
 * <p><b>Behaviour</b>: READ on the group, else all partitions answer GROUP_AUTHORIZATION_FAILED. Each topic: unknown id
 * UNKNOWN_TOPIC_ID, no READ TOPIC_AUTHORIZATION_FAILED, unknown name or partition UNKNOWN_TOPIC_OR_PARTITION; the other
 * partitions go on to the coordinator, whose refusal they all get. An open transaction on the same partition does not
 * matter: the record further on in the log wins.
 *
 * <p><b>Left out</b>: the retention time of versions up to 4; offsets do not expire.
 */
final class OffsetCommitHandler implements ApiHandler<OffsetCommitRequestData> {
    private static final int TOPIC_IDS_SINCE = 10;

    private final NodeContext node;

    OffsetCommitHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.OFFSET_COMMIT.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.OFFSET_COMMIT);
    }

    @Override
    public void handle(Call<OffsetCommitRequestData> call) {
        OffsetCommitRequestData request = call.request();
        if (!GroupRequests.mayGroup(node, call, AclOperation.READ, request.groupId())) {
            call.answer(OffsetCommitRequest.getErrorResponse(request, Errors.GROUP_AUTHORIZATION_FAILED));
            return;
        }
        OffsetCommitResponse.Builder response = OffsetCommitResponse.newBuilder(call.version() >= TOPIC_IDS_SINCE);
        OffsetCommitRequestData good = new OffsetCommitRequestData()
                .setGroupId(request.groupId())
                .setMemberId(request.memberId())
                .setGroupInstanceId(request.groupInstanceId())
                .setGenerationIdOrMemberEpoch(request.generationIdOrMemberEpoch());
        request.topics().forEach(topic -> sort(call, topic, good, response));
        if (!good.topics().isEmpty()) {
            response.merge(commit(call, good));
        }
        call.answer(response.build().data());
    }

    private OffsetCommitResponseData commit(Call<OffsetCommitRequestData> call, OffsetCommitRequestData good) {
        try {
            return node.groups().shardOf(good.groupId()).offsets().commit(GroupRequests.caller(call), good);
        } catch (ApiException e) {
            return OffsetCommitRequest.getErrorResponse(good, Errors.forException(e));
        }
    }

    /** Puts partitions that exist into the good request, and the others into the answer. */
    private void sort(
            Call<?> call,
            OffsetCommitRequestTopic asked,
            OffsetCommitRequestData good,
            OffsetCommitResponse.Builder response) {
        ClusterImage image = node.image().get();
        boolean byId = call.version() >= TOPIC_IDS_SINCE;
        Optional<TopicInfo> topic = byId ? image.topic(asked.topicId()) : image.topic(asked.name());
        String name = topic.map(TopicInfo::name).orElse(asked.name());
        Errors error = Errors.NONE;
        if (byId && topic.isEmpty()) {
            error = Errors.UNKNOWN_TOPIC_ID;
        } else if (!GroupRequests.mayTopic(node, call, AclOperation.READ, name)) {
            error = Errors.TOPIC_AUTHORIZATION_FAILED;
        } else if (topic.isEmpty()) {
            error = Errors.UNKNOWN_TOPIC_OR_PARTITION;
        }
        Uuid id = topic.map(TopicInfo::id).orElse(asked.topicId());
        OffsetCommitRequestTopic taken =
                new OffsetCommitRequestTopic().setName(name).setTopicId(id);
        for (OffsetCommitRequestPartition partition : asked.partitions()) {
            if (error == Errors.NONE && GroupRequests.exists(image, name, partition.partitionIndex())) {
                taken.partitions().add(partition);
            } else {
                Errors answered = error == Errors.NONE ? Errors.UNKNOWN_TOPIC_OR_PARTITION : error;
                response.addPartition(id, name, partition.partitionIndex(), answered);
            }
        }
        if (!taken.partitions().isEmpty()) {
            good.topics().add(taken);
        }
    }
}
