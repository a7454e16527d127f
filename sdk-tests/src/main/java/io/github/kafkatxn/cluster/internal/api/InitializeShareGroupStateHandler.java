package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.share.SharePartitionKey;
import io.github.kafkatxn.cluster.internal.share.ShareStateShard;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.InitializeShareGroupStateRequestData;
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
        InitializeShareGroupStateRequestData request = call.request();
        boolean allowed = ShareRequests.mayActOnCluster(node, call);
        InitializeShareGroupStateResponseData response = new InitializeShareGroupStateResponseData();
        for (InitializeShareGroupStateRequestData.InitializeStateData topic : request.topics()) {
            List<PartitionResult> partitions = topic.partitions().stream()
                    .map(asked -> handle(
                            new SharePartitionKey(request.groupId(), topic.topicId(), asked.partition()),
                            asked,
                            allowed))
                    .toList();
            response.results()
                    .add(new InitializeStateResult().setTopicId(topic.topicId()).setPartitions(partitions));
        }
        call.answer(response);
    }

    private PartitionResult handle(
            SharePartitionKey key, InitializeShareGroupStateRequestData.PartitionData asked, boolean allowed) {
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
        return result.setErrorCode(
                shard.initialise(key, asked.stateEpoch(), asked.startOffset()).code());
    }
}
