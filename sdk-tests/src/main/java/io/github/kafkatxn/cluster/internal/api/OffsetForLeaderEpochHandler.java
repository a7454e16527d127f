package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.log.EpochEnd;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.OffsetForLeaderTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;

/**
 * OffsetForLeaderEpoch (key 23).
 *
 * <p><b>Versions</b>: 2-4.
 *
 * <p><b>Behaviour</b>: where a leader epoch ended, by which consumers find out that a log was truncated.
 *
 * <p><b>Left out</b>: nothing. No log is ever truncated here.
 */
final class OffsetForLeaderEpochHandler implements ApiHandler<OffsetForLeaderEpochRequestData> {
    private final NodeContext node;
    private final Leaders leaders;

    OffsetForLeaderEpochHandler(NodeContext node) {
        this.node = node;
        this.leaders = new Leaders(node);
    }

    @Override
    public short key() {
        return ApiMessageType.OFFSET_FOR_LEADER_EPOCH.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.OFFSET_FOR_LEADER_EPOCH);
    }

    @Override
    public void handle(Call<OffsetForLeaderEpochRequestData> call) {
        OffsetForLeaderEpochResponseData response = new OffsetForLeaderEpochResponseData();
        for (OffsetForLeaderTopic topic : call.request().topics()) {
            boolean allowed = isAllowed(call.principal(), topic.topic());
            OffsetForLeaderTopicResult answer = new OffsetForLeaderTopicResult().setTopic(topic.topic());
            for (OffsetForLeaderPartition partition : topic.partitions()) {
                answer.partitions()
                        .add(
                                allowed
                                        ? endOf(topic.topic(), partition)
                                        : new EpochEndOffset()
                                                .setPartition(partition.partition())
                                                .setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code()));
            }
            response.topics().add(answer);
        }
        call.answer(response);
    }

    private boolean isAllowed(String principal, String topic) {
        return node.authorizer()
                        .allows(principal, AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, Resource.CLUSTER_NAME)
                || node.authorizer().allows(principal, AclOperation.DESCRIBE, ResourceType.TOPIC, topic);
    }

    private EpochEndOffset endOf(String topic, OffsetForLeaderPartition asked) {
        EpochEndOffset answer = new EpochEndOffset().setPartition(asked.partition());
        TopicPartition partition = new TopicPartition(topic, asked.partition());
        Errors error = leaders.check(partition, asked.currentLeaderEpoch());
        if (error != Errors.NONE) {
            return answer.setErrorCode(error.code());
        }
        EpochEnd end = leaders.get(partition).log().endOf(asked.leaderEpoch());
        return answer.setLeaderEpoch(end.leaderEpoch()).setEndOffset(end.endOffset());
    }
}
