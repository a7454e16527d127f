package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.share.ShareStateShard.Stored;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ReadShareGroupStateSummaryRequestData;
import org.apache.kafka.common.message.ReadShareGroupStateSummaryRequestData.PartitionData;
import org.apache.kafka.common.message.ReadShareGroupStateSummaryRequestData.ReadStateSummaryData;
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
        ShareStateRequests states =
                new ShareStateRequests(node, call, call.request().groupId());
        ReadShareGroupStateSummaryResponseData response = new ReadShareGroupStateSummaryResponseData();
        for (ReadStateSummaryData topic : call.request().topics()) {
            response.results()
                    .add(new ReadStateSummaryResult()
                            .setTopicId(topic.topicId())
                            .setPartitions(states.answers(
                                    topic.topicId(),
                                    topic.partitions(),
                                    PartitionData::partition,
                                    (asked, key, shard) -> summary(key.partition(), shard.read(key, NO_LEADER)),
                                    ReadShareGroupStateSummaryHandler::refused)));
        }
        call.answer(response);
    }

    private static PartitionResult summary(int partition, Stored stored) {
        return new PartitionResult()
                .setPartition(partition)
                .setStateEpoch(stored.stateEpoch())
                .setLeaderEpoch(stored.leaderEpoch())
                .setStartOffset(stored.startOffset())
                .setDeliveryCompleteCount(stored.completeCount());
    }

    private static PartitionResult refused(int partition, Errors error) {
        return new PartitionResult().setPartition(partition).setErrorCode(error.code());
    }
}
