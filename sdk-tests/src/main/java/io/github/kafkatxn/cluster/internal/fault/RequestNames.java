package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.internal.wire.TxnShareAcknowledge;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DeleteShareGroupStateRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitializeShareGroupStateRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ReadShareGroupStateRequestData;
import org.apache.kafka.common.message.ReadShareGroupStateSummaryRequestData;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData;
import org.apache.kafka.common.message.ShareFetchRequestData;
import org.apache.kafka.common.message.ShareGroupDescribeRequestData;
import org.apache.kafka.common.message.ShareGroupHeartbeatRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.WriteShareGroupStateRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;

/** What the requests of every API key name. */
final class RequestNames {
    private static final Map<Short, Named<?>> BY_KEY = new HashMap<>();
    private static final Named<ApiMessage> NOTHING = new Named<>(ApiMessage.class);

    static {
        records();
        topics();
        transactions();
        offsets();
        groups();
        shareGroups();
        shareState();
    }

    private RequestNames() {}

    static Named<?> of(short key) {
        return BY_KEY.getOrDefault(key, NOTHING);
    }

    private static <R extends ApiMessage> Named<R> key(ApiKeys key, Class<R> type) {
        return key(key.id, type);
    }

    private static <R extends ApiMessage> Named<R> key(short key, Class<R> type) {
        Named<R> named = new Named<>(type);
        BY_KEY.put(key, named);
        return named;
    }

    private static void records() {
        key(ApiKeys.PRODUCE, ProduceRequestData.class)
                .transactionalId(ProduceRequestData::transactionalId)
                .partitions((request, visitor) -> request.topicData()
                        .forEach(topic -> topic.partitionData()
                                .forEach(part -> visitor.visit(topic.name(), topic.topicId(), part.index()))));
        key(ApiKeys.FETCH, FetchRequestData.class)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(part -> visitor.visit(topic.topic(), topic.topicId(), part.partition()))));
        key(ApiKeys.LIST_OFFSETS, ListOffsetsRequestData.class)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(part -> visitor.visit(topic.name(), part.partitionIndex()))));
        key(ApiKeys.OFFSET_FOR_LEADER_EPOCH, OffsetForLeaderEpochRequestData.class)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic ->
                                topic.partitions().forEach(part -> visitor.visit(topic.topic(), part.partition()))));
        key(ApiKeys.DELETE_RECORDS, DeleteRecordsRequestData.class)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(part -> visitor.visit(topic.name(), part.partitionIndex()))));
        key(ApiKeys.DESCRIBE_PRODUCERS, DescribeProducersRequestData.class)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitionIndexes().forEach(part -> visitor.visit(topic.name(), part))));
    }

    private static void topics() {
        key(ApiKeys.METADATA, MetadataRequestData.class).topics((request, visitor) -> {
            if (request.topics() != null) {
                request.topics().forEach(topic -> visitor.visit(topic.name(), topic.topicId(), Named.WHOLE_TOPIC));
            }
        });
        key(ApiKeys.DESCRIBE_TOPIC_PARTITIONS, DescribeTopicPartitionsRequestData.class)
                .topics((request, visitor) ->
                        request.topics().forEach(topic -> visitor.visit(topic.name(), Named.WHOLE_TOPIC)));
        key(ApiKeys.CREATE_TOPICS, CreateTopicsRequestData.class)
                .topics((request, visitor) ->
                        request.topics().forEach(topic -> visitor.visit(topic.name(), Named.WHOLE_TOPIC)));
        key(ApiKeys.CREATE_PARTITIONS, CreatePartitionsRequestData.class)
                .topics((request, visitor) ->
                        request.topics().forEach(topic -> visitor.visit(topic.name(), Named.WHOLE_TOPIC)));
        key(ApiKeys.DELETE_TOPICS, DeleteTopicsRequestData.class).topics((request, visitor) -> {
            request.topics().forEach(topic -> visitor.visit(topic.name(), topic.topicId(), Named.WHOLE_TOPIC));
            request.topicNames().forEach(topic -> visitor.visit(topic, Named.WHOLE_TOPIC));
        });
        key(ApiKeys.FIND_COORDINATOR, FindCoordinatorRequestData.class)
                .transactionalIds(request -> coordinatorKeys(request, CoordinatorType.TRANSACTION))
                .groups(request -> coordinatorKeys(request, CoordinatorType.GROUP));
    }

    private static void transactions() {
        key(ApiKeys.INIT_PRODUCER_ID, InitProducerIdRequestData.class)
                .transactionalId(InitProducerIdRequestData::transactionalId);
        key(ApiKeys.END_TXN, EndTxnRequestData.class).transactionalId(EndTxnRequestData::transactionalId);
        key(ApiKeys.ADD_OFFSETS_TO_TXN, AddOffsetsToTxnRequestData.class)
                .transactionalId(AddOffsetsToTxnRequestData::transactionalId)
                .group(AddOffsetsToTxnRequestData::groupId);
        key(ApiKeys.ADD_PARTITIONS_TO_TXN, AddPartitionsToTxnRequestData.class)
                .transactionalIds(RequestNames::addedTo)
                .partitions((request, visitor) -> {
                    request.v3AndBelowTopics()
                            .forEach(topic -> topic.partitions().forEach(part -> visitor.visit(topic.name(), part)));
                    request.transactions()
                            .forEach(transaction -> transaction
                                    .topics()
                                    .forEach(topic ->
                                            topic.partitions().forEach(part -> visitor.visit(topic.name(), part))));
                });
        key(ApiKeys.TXN_OFFSET_COMMIT, TxnOffsetCommitRequestData.class)
                .transactionalId(TxnOffsetCommitRequestData::transactionalId)
                .group(TxnOffsetCommitRequestData::groupId)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(part -> visitor.visit(topic.name(), topic.topicId(), part.partitionIndex()))));
        key(ApiKeys.WRITE_TXN_MARKERS, WriteTxnMarkersRequestData.class)
                .partitions((request, visitor) -> request.markers()
                        .forEach(marker -> marker.topics()
                                .forEach(topic ->
                                        topic.partitionIndexes().forEach(part -> visitor.visit(topic.name(), part)))));
        key(ApiKeys.DESCRIBE_TRANSACTIONS, DescribeTransactionsRequestData.class)
                .transactionalIds(DescribeTransactionsRequestData::transactionalIds);
    }

    private static void offsets() {
        key(ApiKeys.OFFSET_COMMIT, OffsetCommitRequestData.class)
                .group(OffsetCommitRequestData::groupId)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(part -> visitor.visit(topic.name(), topic.topicId(), part.partitionIndex()))));
        key(ApiKeys.OFFSET_FETCH, OffsetFetchRequestData.class)
                .groups(RequestNames::fetchedGroups)
                .partitions(RequestNames::visitFetchedOffsets);
        key(ApiKeys.OFFSET_DELETE, OffsetDeleteRequestData.class)
                .group(OffsetDeleteRequestData::groupId)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(part -> visitor.visit(topic.name(), part.partitionIndex()))));
    }

    private static void groups() {
        key(ApiKeys.JOIN_GROUP, JoinGroupRequestData.class).group(JoinGroupRequestData::groupId);
        key(ApiKeys.SYNC_GROUP, SyncGroupRequestData.class).group(SyncGroupRequestData::groupId);
        key(ApiKeys.HEARTBEAT, HeartbeatRequestData.class).group(HeartbeatRequestData::groupId);
        key(ApiKeys.LEAVE_GROUP, LeaveGroupRequestData.class).group(LeaveGroupRequestData::groupId);
        key(ApiKeys.DESCRIBE_GROUPS, DescribeGroupsRequestData.class).groups(DescribeGroupsRequestData::groups);
        key(ApiKeys.DELETE_GROUPS, DeleteGroupsRequestData.class).groups(DeleteGroupsRequestData::groupsNames);
        key(ApiKeys.CONSUMER_GROUP_HEARTBEAT, ConsumerGroupHeartbeatRequestData.class)
                .group(ConsumerGroupHeartbeatRequestData::groupId);
        key(ApiKeys.CONSUMER_GROUP_DESCRIBE, ConsumerGroupDescribeRequestData.class)
                .groups(ConsumerGroupDescribeRequestData::groupIds);
    }

    private static void shareGroups() {
        key(ApiKeys.SHARE_GROUP_HEARTBEAT, ShareGroupHeartbeatRequestData.class)
                .group(ShareGroupHeartbeatRequestData::groupId);
        key(ApiKeys.SHARE_GROUP_DESCRIBE, ShareGroupDescribeRequestData.class)
                .groups(ShareGroupDescribeRequestData::groupIds);
        key(ApiKeys.SHARE_FETCH, ShareFetchRequestData.class)
                .group(ShareFetchRequestData::groupId)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(part -> visitor.visit(null, topic.topicId(), part.partitionIndex()))));
        key(ApiKeys.SHARE_ACKNOWLEDGE, ShareAcknowledgeRequestData.class)
                .group(ShareAcknowledgeRequestData::groupId)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(part -> visitor.visit(null, topic.topicId(), part.partitionIndex()))));
        key(TxnShareAcknowledge.KEY, TxnShareAcknowledge.Request.class)
                .transactionalId(TxnShareAcknowledge.Request::transactionalId)
                .group(TxnShareAcknowledge.Request::groupId)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(part -> visitor.visit(null, topic.topicId(), part.index()))));
        key(ApiKeys.ALTER_SHARE_GROUP_OFFSETS, AlterShareGroupOffsetsRequestData.class)
                .group(AlterShareGroupOffsetsRequestData::groupId)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(part -> visitor.visit(topic.topicName(), part.partitionIndex()))));
        key(ApiKeys.DELETE_SHARE_GROUP_OFFSETS, DeleteShareGroupOffsetsRequestData.class)
                .group(DeleteShareGroupOffsetsRequestData::groupId)
                .topics((request, visitor) ->
                        request.topics().forEach(topic -> visitor.visit(topic.topicName(), Named.WHOLE_TOPIC)));
        key(ApiKeys.DESCRIBE_SHARE_GROUP_OFFSETS, DescribeShareGroupOffsetsRequestData.class)
                .groups(request -> request.groups().stream()
                        .map(DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestGroup::groupId)
                        .toList());
    }

    private static void shareState() {
        key(ApiKeys.INITIALIZE_SHARE_GROUP_STATE, InitializeShareGroupStateRequestData.class)
                .group(InitializeShareGroupStateRequestData::groupId)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(part -> visitor.visit(null, topic.topicId(), part.partition()))));
        key(ApiKeys.READ_SHARE_GROUP_STATE, ReadShareGroupStateRequestData.class)
                .group(ReadShareGroupStateRequestData::groupId)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(part -> visitor.visit(null, topic.topicId(), part.partition()))));
        key(ApiKeys.WRITE_SHARE_GROUP_STATE, WriteShareGroupStateRequestData.class)
                .group(WriteShareGroupStateRequestData::groupId)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(part -> visitor.visit(null, topic.topicId(), part.partition()))));
        key(ApiKeys.DELETE_SHARE_GROUP_STATE, DeleteShareGroupStateRequestData.class)
                .group(DeleteShareGroupStateRequestData::groupId)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(part -> visitor.visit(null, topic.topicId(), part.partition()))));
        key(ApiKeys.READ_SHARE_GROUP_STATE_SUMMARY, ReadShareGroupStateSummaryRequestData.class)
                .group(ReadShareGroupStateSummaryRequestData::groupId)
                .partitions((request, visitor) -> request.topics()
                        .forEach(topic -> topic.partitions()
                                .forEach(part -> visitor.visit(null, topic.topicId(), part.partition()))));
    }

    private static Collection<String> coordinatorKeys(FindCoordinatorRequestData request, CoordinatorType type) {
        if (request.keyType() != type.id()) {
            return List.of();
        }
        List<String> keys = new ArrayList<>(request.coordinatorKeys());
        keys.add(request.key());
        return keys;
    }

    private static Collection<String> addedTo(AddPartitionsToTxnRequestData request) {
        List<String> ids = new ArrayList<>();
        ids.add(request.v3AndBelowTransactionalId());
        request.transactions().forEach(transaction -> ids.add(transaction.transactionalId()));
        return ids;
    }

    private static Collection<String> fetchedGroups(OffsetFetchRequestData request) {
        List<String> ids = new ArrayList<>();
        ids.add(request.groupId());
        request.groups().forEach(group -> ids.add(group.groupId()));
        return ids;
    }

    private static void visitFetchedOffsets(OffsetFetchRequestData request, Named.Visitor visitor) {
        if (request.topics() != null) {
            request.topics()
                    .forEach(topic -> topic.partitionIndexes().forEach(part -> visitor.visit(topic.name(), part)));
        }
        request.groups().forEach(group -> {
            if (group.topics() != null) {
                group.topics()
                        .forEach(topic -> topic.partitionIndexes()
                                .forEach(part -> visitor.visit(topic.name(), topic.topicId(), part)));
            }
        });
    }
}
