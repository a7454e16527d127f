package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.share.SharePartitionKey;
import io.github.kafkatxn.cluster.internal.share.ShareStateShard;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.DeleteShareGroupStateRequestData;
import org.apache.kafka.common.message.DeleteShareGroupStateResponseData;
import org.apache.kafka.common.message.DeleteShareGroupStateResponseData.DeleteStateResult;
import org.apache.kafka.common.message.DeleteShareGroupStateResponseData.PartitionResult;
import org.apache.kafka.common.protocol.Errors;

/**
 * DeleteShareGroupState (key 86), from node to node.
 *
 * <p><b>Versions</b>: 0.
 *
 * <p><b>Behaviour</b>: forgets a share partition, also one that is not there. Needs CLUSTER_ACTION on the cluster.
 *
 * <p><b>Left out</b>: nothing.
 */
final class DeleteShareGroupStateHandler implements ApiHandler<DeleteShareGroupStateRequestData> {
    private final NodeContext node;

    DeleteShareGroupStateHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.DELETE_SHARE_GROUP_STATE.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.DELETE_SHARE_GROUP_STATE);
    }

    @Override
    public void handle(Call<DeleteShareGroupStateRequestData> call) {
        DeleteShareGroupStateRequestData request = call.request();
        boolean allowed = ShareRequests.mayActOnCluster(node, call);
        DeleteShareGroupStateResponseData response = new DeleteShareGroupStateResponseData();
        for (DeleteShareGroupStateRequestData.DeleteStateData topic : request.topics()) {
            List<PartitionResult> partitions = topic.partitions().stream()
                    .map(asked -> handle(
                            new SharePartitionKey(request.groupId(), topic.topicId(), asked.partition()), allowed))
                    .toList();
            response.results()
                    .add(new DeleteStateResult().setTopicId(topic.topicId()).setPartitions(partitions));
        }
        call.answer(response);
    }

    private PartitionResult handle(SharePartitionKey key, boolean allowed) {
        PartitionResult result = new PartitionResult().setPartition(key.partition());
        if (!allowed) {
            return result.setErrorCode(Errors.CLUSTER_AUTHORIZATION_FAILED.code());
        }
        ShareStateShard shard;
        try {
            shard = node.share().coordinator().shardOf(key);
        } catch (ApiException e) {
            return result.setErrorCode(Errors.forException(e).code());
        }
        return result.setErrorCode(shard.delete(key).code());
    }
}
