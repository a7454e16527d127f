package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.share.SharePartitionKey;
import io.github.kafkatxn.cluster.internal.share.ShareStateShard;
import io.github.kafkatxn.cluster.internal.share.ShareStateShard.Stored;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ReadShareGroupStateSummaryRequestData;
import org.apache.kafka.common.message.ReadShareGroupStateSummaryResponseData;
import org.apache.kafka.common.message.ReadShareGroupStateSummaryResponseData.PartitionResult;
import org.apache.kafka.common.message.ReadShareGroupStateSummaryResponseData.ReadStateSummaryResult;
import org.apache.kafka.common.protocol.Errors;

/**
 * ReadShareGroupStateSummary (key 87), from node to node.
 *
 * <p><b>Versions</b>: 0-1. Version 1 tells how much is done with.
 *
 * <p><b>Behaviour</b>: where a share partition is, and how much of it is done with; its leader does not change by it.
 * Needs CLUSTER_ACTION on the cluster.
 *
 * <p><b>Left out</b>: nothing.
 */
final class ReadShareGroupStateSummaryHandler implements ApiHandler<ReadShareGroupStateSummaryRequestData> {
    /** Who only looks does not become the leader. */
    private static final int NO_LEADER = -1;

    private final NodeContext node;

    ReadShareGroupStateSummaryHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.READ_SHARE_GROUP_STATE_SUMMARY.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.READ_SHARE_GROUP_STATE_SUMMARY);
    }

    @Override
    public void handle(Call<ReadShareGroupStateSummaryRequestData> call) {
        ReadShareGroupStateSummaryRequestData request = call.request();
        boolean allowed = ShareRequests.mayActOnCluster(node, call);
        ReadShareGroupStateSummaryResponseData response = new ReadShareGroupStateSummaryResponseData();
        for (ReadShareGroupStateSummaryRequestData.ReadStateSummaryData topic : request.topics()) {
            List<PartitionResult> partitions = topic.partitions().stream()
                    .map(asked -> handle(
                            new SharePartitionKey(request.groupId(), topic.topicId(), asked.partition()), allowed))
                    .toList();
            response.results()
                    .add(new ReadStateSummaryResult()
                            .setTopicId(topic.topicId())
                            .setPartitions(partitions));
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
        Stored stored = shard.read(key, NO_LEADER);
        return result.setStateEpoch(stored.stateEpoch())
                .setLeaderEpoch(stored.leaderEpoch())
                .setStartOffset(stored.startOffset())
                .setDeliveryCompleteCount(stored.completeCount());
    }
}
