package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.group.AssignedPartition;
import io.github.kafkatxn.cluster.internal.group.ShareProtocol;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.share.SharePartitionKey;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsRequestData.DeleteShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsResponseData.DeleteShareGroupOffsetsResponseTopic;
import org.apache.kafka.common.protocol.Errors;

/**
 * DeleteShareGroupOffsets (key 92).
 *
 * <p><b>Versions</b>: 0.
 *
 * <p><b>Behaviour</b>: DELETE on the group, READ on the topics; no such group GROUP_ID_NOT_FOUND, with members
 * NON_EMPTY_GROUP. The states of all partitions of a topic are forgotten; if there is none, UNKNOWN_TOPIC_OR_PARTITION.
 *
 * <p><b>Left out</b>: nothing.
 */
final class DeleteShareGroupOffsetsHandler implements ApiHandler<DeleteShareGroupOffsetsRequestData> {
    private final NodeContext node;

    DeleteShareGroupOffsetsHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.DELETE_SHARE_GROUP_OFFSETS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.DELETE_SHARE_GROUP_OFFSETS);
    }

    @Override
    public void handle(Call<DeleteShareGroupOffsetsRequestData> call) {
        String group = call.request().groupId();
        Errors error = ShareRequests.checkGroup(node, call, AclOperation.DELETE, group);
        if (error != Errors.NONE) {
            refuse(call, error);
            return;
        }
        ShareProtocol share;
        try {
            share = node.groups().shardOf(group).share();
            share.requireEmpty(group);
        } catch (ApiException e) {
            refuse(call, Errors.forException(e));
            return;
        }
        DeleteShareGroupOffsetsResponseData response = new DeleteShareGroupOffsetsResponseData();
        Gathering gathering = new Gathering(() -> call.answer(response));
        call.request().topics().forEach(topic -> delete(call, topic, share, response, gathering));
        gathering.arrived();
    }

    private static void refuse(Call<DeleteShareGroupOffsetsRequestData> call, Errors error) {
        call.answer(new DeleteShareGroupOffsetsResponseData()
                .setErrorCode(error.code())
                .setErrorMessage(error.message()));
    }

    private void delete(
            Call<DeleteShareGroupOffsetsRequestData> call,
            DeleteShareGroupOffsetsRequestTopic asked,
            ShareProtocol share,
            DeleteShareGroupOffsetsResponseData response,
            Gathering gathering) {
        String group = call.request().groupId();
        Optional<TopicInfo> topic = node.image().get().topic(asked.topicName());
        Uuid topicId = topic.map(TopicInfo::id).orElse(Uuid.ZERO_UUID);
        DeleteShareGroupOffsetsResponseTopic answered = new DeleteShareGroupOffsetsResponseTopic()
                .setTopicName(asked.topicName())
                .setTopicId(topicId);
        response.responses().add(answered);
        if (!GroupRequests.mayTopic(node, call, AclOperation.READ, asked.topicName())) {
            answered.setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code());
            return;
        }
        List<AssignedPartition> known = share.partitions(group).stream()
                .filter(partition -> partition.topicId().equals(topicId))
                .toList();
        if (known.isEmpty()) {
            answered.setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code())
                    .setErrorMessage(Errors.UNKNOWN_TOPIC_OR_PARTITION.message());
            return;
        }
        for (AssignedPartition partition : known) {
            gathering.expect();
            SharePartitionKey key = new SharePartitionKey(group, topicId, partition.partition());
            node.share().states().delete(key, error -> {
                if (error != Errors.NONE) {
                    answered.setErrorCode(error.code());
                }
                gathering.arrived();
            });
        }
        share.forget(group, topicId);
    }
}
