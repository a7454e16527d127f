package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.InitializeShareGroupStateRequestData;
import org.apache.kafka.common.message.InitializeShareGroupStateRequestData.InitializeStateData;
import org.apache.kafka.common.message.InitializeShareGroupStateRequestData.PartitionData;
import org.apache.kafka.common.message.InitializeShareGroupStateResponseData;
import org.apache.kafka.common.message.InitializeShareGroupStateResponseData.InitializeStateResult;
import org.apache.kafka.common.message.InitializeShareGroupStateResponseData.PartitionResult;
import org.apache.kafka.common.protocol.Errors;

/**
 * InitializeShareGroupState (key 83), from node to node.
 *
 * <p><b>Versions</b>: 0.
 *
 * <p><b>Behaviour</b>: a new beginning; one of an older epoch than there is: FENCED_STATE_EPOCH. Needs CLUSTER_ACTION
 * on the cluster.
 *
 * <p><b>Left out</b>: nothing.
 */
final class InitializeShareGroupStateHandler implements ApiHandler<InitializeShareGroupStateRequestData> {
    private final NodeContext node;

    InitializeShareGroupStateHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.INITIALIZE_SHARE_GROUP_STATE.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.INITIALIZE_SHARE_GROUP_STATE);
    }

    @Override
    public void handle(Call<InitializeShareGroupStateRequestData> call) {
        ShareStateRequests states =
                new ShareStateRequests(node, call, call.request().groupId());
        InitializeShareGroupStateResponseData response = new InitializeShareGroupStateResponseData();
        for (InitializeStateData topic : call.request().topics()) {
            response.results()
                    .add(new InitializeStateResult()
                            .setTopicId(topic.topicId())
                            .setPartitions(states.answers(
                                    topic.topicId(),
                                    topic.partitions(),
                                    PartitionData::partition,
                                    (asked, key, shard) -> result(
                                            key.partition(),
                                            shard.initialise(key, asked.stateEpoch(), asked.startOffset())),
                                    InitializeShareGroupStateHandler::result)));
        }
        call.answer(response);
    }

    private static PartitionResult result(int partition, Errors error) {
        return new PartitionResult().setPartition(partition).setErrorCode(error.code());
    }
}
