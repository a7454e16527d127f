package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.DeleteShareGroupStateRequestData;
import org.apache.kafka.common.message.DeleteShareGroupStateRequestData.DeleteStateData;
import org.apache.kafka.common.message.DeleteShareGroupStateRequestData.PartitionData;
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
        ShareStateRequests states =
                new ShareStateRequests(node, call, call.request().groupId());
        DeleteShareGroupStateResponseData response = new DeleteShareGroupStateResponseData();
        for (DeleteStateData topic : call.request().topics()) {
            response.results()
                    .add(new DeleteStateResult()
                            .setTopicId(topic.topicId())
                            .setPartitions(states.answers(
                                    topic.topicId(),
                                    topic.partitions(),
                                    PartitionData::partition,
                                    (asked, key, shard) -> result(key.partition(), shard.delete(key)),
                                    DeleteShareGroupStateHandler::result)));
        }
        call.answer(response);
    }

    private static PartitionResult result(int partition, Errors error) {
        return new PartitionResult().setPartition(partition).setErrorCode(error.code());
    }
}
