package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.log.FoundOffset;
import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.log.PartitionLog;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.resource.ResourceType;

/**
 * ListOffsets (key 2).
 *
 * <p><b>Versions</b>: 1-11. From 2 on with an isolation level, from 4 on with leader epochs; 7, 8, 9 and 11 each know
 * one more special timestamp.
 *
 * <p><b>Behaviour</b>: the latest offset is the last stable one for read_committed, and nothing that is searched by its
 * timestamp lies at or behind it.
 *
 * <p><b>Left out</b>: tiered storage; its timestamps -5 and -6 answer -1. OFFSET_NOT_AVAILABLE, because a new leader
 * has everything at once.
 */
final class ListOffsetsHandler implements ApiHandler<ListOffsetsRequestData> {
    private static final Map<Long, Integer> SPECIAL_TIMESTAMPS = Map.of(
            ListOffsetsRequest.LATEST_TIMESTAMP, 1,
            ListOffsetsRequest.EARLIEST_TIMESTAMP, 1,
            ListOffsetsRequest.MAX_TIMESTAMP, 7,
            ListOffsetsRequest.EARLIEST_LOCAL_TIMESTAMP, 8,
            ListOffsetsRequest.LATEST_TIERED_TIMESTAMP, 9,
            ListOffsetsRequest.EARLIEST_PENDING_UPLOAD_TIMESTAMP, 11);

    private final NodeContext node;
    private final Leaders leaders;

    ListOffsetsHandler(NodeContext node) {
        this.node = node;
        this.leaders = new Leaders(node);
    }

    @Override
    public short key() {
        return ApiMessageType.LIST_OFFSETS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.LIST_OFFSETS);
    }

    @Override
    public void handle(Call<ListOffsetsRequestData> call) {
        ListOffsetsResponseData response = new ListOffsetsResponseData();
        Set<TopicPartition> twice = twice(call.request());
        for (ListOffsetsTopic topic : call.request().topics()) {
            boolean allowed =
                    node.authorizer().allows(call.principal(), AclOperation.DESCRIBE, ResourceType.TOPIC, topic.name());
            ListOffsetsTopicResponse answer = new ListOffsetsTopicResponse().setName(topic.name());
            for (ListOffsetsPartition asked : topic.partitions()) {
                TopicPartition partition = new TopicPartition(topic.name(), asked.partitionIndex());
                Errors error =
                        allowed ? check(partition, asked, twice, call.version()) : Errors.TOPIC_AUTHORIZATION_FAILED;
                ListOffsetsPartitionResponse of = new ListOffsetsPartitionResponse()
                        .setPartitionIndex(asked.partitionIndex())
                        .setErrorCode(error.code());
                if (error == Errors.NONE) {
                    find(leaders.get(partition), asked.timestamp(), lastOffset(call.request(), partition))
                            .ifPresent(found -> fill(of, found, call.version()));
                }
                answer.partitions().add(of);
            }
            response.topics().add(answer);
        }
        call.answer(response);
    }

    private static Set<TopicPartition> twice(ListOffsetsRequestData request) {
        Set<TopicPartition> once = new HashSet<>();
        Set<TopicPartition> twice = new HashSet<>();
        request.topics()
                .forEach(topic -> topic.partitions().forEach(partition -> {
                    TopicPartition named = new TopicPartition(topic.name(), partition.partitionIndex());
                    if (!once.add(named)) {
                        twice.add(named);
                    }
                }));
        return twice;
    }

    private Errors check(
            TopicPartition partition, ListOffsetsPartition asked, Set<TopicPartition> twice, short version) {
        if (twice.contains(partition)) {
            return Errors.INVALID_REQUEST;
        }
        Integer since = SPECIAL_TIMESTAMPS.get(asked.timestamp());
        if (asked.timestamp() < 0 && (since == null || version < since)) {
            return Errors.UNSUPPORTED_VERSION;
        }
        return leaders.check(partition, asked.currentLeaderEpoch());
    }

    private long lastOffset(ListOffsetsRequestData request, TopicPartition partition) {
        PartitionLog log = leaders.get(partition).log();
        boolean committed = request.isolationLevel() == IsolationLevel.READ_COMMITTED.id();
        return committed ? log.lastStableOffset() : log.endOffset();
    }

    private static Optional<FoundOffset> find(LedPartition partition, long timestamp, long lastOffset) {
        PartitionLog log = partition.log();
        if (timestamp == ListOffsetsRequest.LATEST_TIMESTAMP) {
            return Optional.of(new FoundOffset(lastOffset, RecordBatch.NO_TIMESTAMP, partition.leaderEpoch()));
        }
        if (timestamp == ListOffsetsRequest.EARLIEST_TIMESTAMP
                || timestamp == ListOffsetsRequest.EARLIEST_LOCAL_TIMESTAMP) {
            int epoch = log.firstLeaderEpoch().orElse(RecordBatch.NO_PARTITION_LEADER_EPOCH);
            return Optional.of(new FoundOffset(log.startOffset(), RecordBatch.NO_TIMESTAMP, epoch));
        }
        if (timestamp == ListOffsetsRequest.MAX_TIMESTAMP) {
            return log.latestTimestamp().filter(found -> found.offset() < lastOffset);
        }
        if (timestamp < 0) {
            return Optional.empty();
        }
        return log.firstWithTimestamp(timestamp).filter(found -> found.offset() < lastOffset);
    }

    private static void fill(ListOffsetsPartitionResponse answer, FoundOffset found, short version) {
        answer.setOffset(found.offset()).setTimestamp(found.timestamp());
        if (version >= 4) {
            answer.setLeaderEpoch(found.leaderEpoch());
        }
    }
}
