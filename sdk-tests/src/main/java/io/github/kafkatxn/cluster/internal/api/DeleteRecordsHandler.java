package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsPartitionResult;
import org.apache.kafka.common.message.DeleteRecordsResponseData.DeleteRecordsTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.resource.ResourceType;

/**
 * DeleteRecords (key 21).
 *
 * <p><b>Versions</b>: 0-2.
 *
 * <p><b>Behaviour</b>: the log begins at the given offset from then on, -1 means its end. Not in internal topics, and
 * not in topics that are only compacted.
 *
 * <p><b>Left out</b>: replication, so no replica is waited for.
 */
final class DeleteRecordsHandler implements ApiHandler<DeleteRecordsRequestData> {
    private static final long TO_THE_END = -1;

    private final NodeContext node;
    private final Leaders leaders;

    DeleteRecordsHandler(NodeContext node) {
        this.node = node;
        this.leaders = new Leaders(node);
    }

    @Override
    public short key() {
        return ApiMessageType.DELETE_RECORDS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.DELETE_RECORDS);
    }

    @Override
    public void handle(Call<DeleteRecordsRequestData> call) {
        DeleteRecordsResponseData response = new DeleteRecordsResponseData();
        for (DeleteRecordsTopic topic : call.request().topics()) {
            boolean allowed =
                    node.authorizer().allows(call.principal(), AclOperation.DELETE, ResourceType.TOPIC, topic.name());
            DeleteRecordsTopicResult answer = new DeleteRecordsTopicResult().setName(topic.name());
            for (DeleteRecordsPartition partition : topic.partitions()) {
                answer.partitions()
                        .add(
                                allowed
                                        ? delete(
                                                new TopicPartition(topic.name(), partition.partitionIndex()),
                                                partition.offset())
                                        : refused(partition.partitionIndex(), Errors.TOPIC_AUTHORIZATION_FAILED));
            }
            response.topics().add(answer);
        }
        call.answer(response);
    }

    private DeleteRecordsPartitionResult delete(TopicPartition partition, long offset) {
        Errors error = check(partition);
        if (error != Errors.NONE) {
            return refused(partition.partition(), error);
        }
        LedPartition led = leaders.get(partition);
        long before = offset == TO_THE_END ? led.log().endOffset() : offset;
        if (before < 0 || before > led.log().endOffset()) {
            return refused(partition.partition(), Errors.OFFSET_OUT_OF_RANGE);
        }
        led.deleteBefore(before);
        return new DeleteRecordsPartitionResult()
                .setPartitionIndex(partition.partition())
                .setLowWatermark(led.log().startOffset());
    }

    private Errors check(TopicPartition partition) {
        if (node.image().get().partition(partition).isEmpty()) {
            return Errors.UNKNOWN_TOPIC_OR_PARTITION;
        }
        if (InternalTopics.contains(partition.topic())) {
            return Errors.INVALID_TOPIC_EXCEPTION;
        }
        Errors error = leaders.check(partition, RecordBatch.NO_PARTITION_LEADER_EPOCH);
        return error == Errors.NONE && isOnlyCompacted(partition.topic()) ? Errors.POLICY_VIOLATION : error;
    }

    private boolean isOnlyCompacted(String topic) {
        String policy = node.image()
                .get()
                .topic(topic)
                .map(TopicInfo::configs)
                .map(configs -> configs.get(TopicConfig.CLEANUP_POLICY_CONFIG))
                .orElse(node.settings().text("log.cleanup.policy"));
        return List.of(policy.split(",")).equals(List.of(TopicConfig.CLEANUP_POLICY_COMPACT));
    }

    private static DeleteRecordsPartitionResult refused(int partition, Errors error) {
        return new DeleteRecordsPartitionResult()
                .setPartitionIndex(partition)
                .setLowWatermark(-1)
                .setErrorCode(error.code());
    }
}
