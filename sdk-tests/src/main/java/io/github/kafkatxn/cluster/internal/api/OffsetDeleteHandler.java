package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetDeleteResponse;

/**
 * OffsetDelete (key 47).
 *
 * <p><b>Versions</b>: 0.
 *
 * <p><b>Behaviour</b>: DELETE on the group, else GROUP_AUTHORIZATION_FAILED; empty id INVALID_GROUP_ID; unknown group
 * GROUP_ID_NOT_FOUND; members of another protocol type than consumers NON_EMPTY_GROUP. Each topic: no READ
 * TOPIC_AUTHORIZATION_FAILED, unknown UNKNOWN_TOPIC_OR_PARTITION, subscribed by a member GROUP_SUBSCRIBED_TO_TOPIC.
 * Pending offsets go, too.
 *
 * <p><b>Left out</b>: nothing.
 */
final class OffsetDeleteHandler implements ApiHandler<OffsetDeleteRequestData> {
    private final NodeContext node;

    OffsetDeleteHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.OFFSET_DELETE.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.OFFSET_DELETE);
    }

    @Override
    public void handle(Call<OffsetDeleteRequestData> call) {
        OffsetDeleteRequestData request = call.request();
        if (!GroupRequests.mayGroup(node, call, AclOperation.DELETE, request.groupId())) {
            call.answer(new OffsetDeleteResponseData().setErrorCode(Errors.GROUP_AUTHORIZATION_FAILED.code()));
            return;
        }
        OffsetDeleteResponse.Builder response = new OffsetDeleteResponse.Builder();
        OffsetDeleteRequestData good = new OffsetDeleteRequestData().setGroupId(request.groupId());
        request.topics().forEach(topic -> sort(call, topic, good, response));
        call.answer(response.merge(delete(good)).build().data());
    }

    private OffsetDeleteResponseData delete(OffsetDeleteRequestData good) {
        if (good.groupId().isEmpty()) {
            return new OffsetDeleteResponseData().setErrorCode(Errors.INVALID_GROUP_ID.code());
        }
        try {
            return node.groups().shardOf(good.groupId()).offsets().delete(good);
        } catch (ApiException e) {
            return new OffsetDeleteResponseData()
                    .setErrorCode(Errors.forException(e).code());
        }
    }

    private void sort(
            Call<?> call,
            OffsetDeleteRequestTopic asked,
            OffsetDeleteRequestData good,
            OffsetDeleteResponse.Builder response) {
        ClusterImage image = node.image().get();
        boolean allowed = GroupRequests.mayTopic(node, call, AclOperation.READ, asked.name());
        OffsetDeleteRequestTopic taken = new OffsetDeleteRequestTopic().setName(asked.name());
        for (OffsetDeleteRequestPartition partition : asked.partitions()) {
            if (allowed && GroupRequests.exists(image, asked.name(), partition.partitionIndex())) {
                taken.partitions().add(partition);
            } else {
                Errors error = allowed ? Errors.UNKNOWN_TOPIC_OR_PARTITION : Errors.TOPIC_AUTHORIZATION_FAILED;
                response.addPartition(asked.name(), partition.partitionIndex(), error);
            }
        }
        if (!taken.partitions().isEmpty()) {
            good.topics().add(taken);
        }
    }
}
