package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
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
        OffsetsTopic topic =
                OffsetsTopic.of(node, call, call.version() >= TOPIC_IDS_SINCE, asked.topicId(), asked.name());
        OffsetCommitRequestTopic taken =
                new OffsetCommitRequestTopic().setName(topic.name()).setTopicId(topic.id());
        for (OffsetCommitRequestPartition partition : asked.partitions()) {
            Errors error = topic.check(partition.partitionIndex());
            if (error == Errors.NONE) {
                taken.partitions().add(partition);
            } else {
                response.addPartition(topic.id(), topic.name(), partition.partitionIndex(), error);
            }
        }
        if (!taken.partitions().isEmpty()) {
            good.topics().add(taken);
        }
    }
}
