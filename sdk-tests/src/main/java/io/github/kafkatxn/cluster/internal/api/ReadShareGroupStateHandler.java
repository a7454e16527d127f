package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.share.Extensions;
import io.github.kafkatxn.cluster.internal.share.SharePartitionKey;
import io.github.kafkatxn.cluster.internal.share.ShareStateShard;
import io.github.kafkatxn.cluster.internal.share.ShareStateShard.Stored;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ReadShareGroupStateRequestData;
import org.apache.kafka.common.message.ReadShareGroupStateRequestData.PartitionData;
import org.apache.kafka.common.message.ReadShareGroupStateRequestData.ReadStateData;
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
        ShareStateRequests states =
                new ShareStateRequests(node, call, call.request().groupId());
        ReadShareGroupStateResponseData response = new ReadShareGroupStateResponseData();
        for (ReadStateData topic : call.request().topics()) {
            response.results()
                    .add(new ReadStateResult()
                            .setTopicId(topic.topicId())
                            .setPartitions(states.answers(
                                    topic.topicId(),
                                    topic.partitions(),
                                    PartitionData::partition,
                                    ReadShareGroupStateHandler::read,
                                    ReadShareGroupStateHandler::refused)));
        }
        call.answer(response);
    }

    private static PartitionResult read(PartitionData asked, SharePartitionKey key, ShareStateShard shard) {
        Stored stored = shard.read(key, asked.leaderEpoch());
        return asked.leaderEpoch() < stored.leaderEpoch()
                ? refused(key.partition(), Errors.FENCED_LEADER_EPOCH)
                : Extensions.toRead(stored, key.partition());
    }

    private static PartitionResult refused(int partition, Errors error) {
        return new PartitionResult().setPartition(partition).setErrorCode(error.code());
    }
}
