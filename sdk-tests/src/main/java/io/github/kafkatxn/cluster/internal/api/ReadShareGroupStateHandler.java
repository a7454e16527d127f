package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.share.Extensions;
import io.github.kafkatxn.cluster.internal.share.SharePartitionKey;
import io.github.kafkatxn.cluster.internal.share.ShareStateShard;
import io.github.kafkatxn.cluster.internal.share.ShareStateShard.Stored;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ReadShareGroupStateRequestData;
import org.apache.kafka.common.message.ReadShareGroupStateResponseData;
import org.apache.kafka.common.message.ReadShareGroupStateResponseData.PartitionResult;
import org.apache.kafka.common.message.ReadShareGroupStateResponseData.ReadStateResult;
import org.apache.kafka.common.protocol.Errors;

/**
 * ReadShareGroupState (key 84), from node to node.
 *
 * <p><b>Versions</b>: 0.
 *
 * <p><b>Behaviour</b>: the state, as for a new share partition if nothing is kept; a leader epoch that is older than
 * one seen before: FENCED_LEADER_EPOCH. Needs CLUSTER_ACTION on the cluster.
 *
 * <p><b>Left out</b>: nothing.
 */
final class ReadShareGroupStateHandler implements ApiHandler<ReadShareGroupStateRequestData> {
    private final NodeContext node;

    ReadShareGroupStateHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.READ_SHARE_GROUP_STATE.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.READ_SHARE_GROUP_STATE);
    }

    @Override
    public void handle(Call<ReadShareGroupStateRequestData> call) {
        ReadShareGroupStateRequestData request = call.request();
        boolean allowed = ShareRequests.mayActOnCluster(node, call);
        ReadShareGroupStateResponseData response = new ReadShareGroupStateResponseData();
        for (ReadShareGroupStateRequestData.ReadStateData topic : request.topics()) {
            List<PartitionResult> partitions = topic.partitions().stream()
                    .map(asked -> handle(
                            new SharePartitionKey(request.groupId(), topic.topicId(), asked.partition()),
                            asked,
                            allowed))
                    .toList();
            response.results()
                    .add(new ReadStateResult().setTopicId(topic.topicId()).setPartitions(partitions));
        }
        call.answer(response);
    }

    private PartitionResult handle(
            SharePartitionKey key, ReadShareGroupStateRequestData.PartitionData asked, boolean allowed) {
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
        Stored stored = shard.read(key, asked.leaderEpoch());
        return asked.leaderEpoch() < stored.leaderEpoch()
                ? result.setErrorCode(Errors.FENCED_LEADER_EPOCH.code())
                : Extensions.toRead(stored, asked.partition());
    }
}
