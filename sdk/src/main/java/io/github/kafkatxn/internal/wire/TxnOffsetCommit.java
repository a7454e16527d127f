package io.github.kafkatxn.internal.wire;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponsePartition;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.TxnOffsetCommitRequest;
import org.apache.kafka.common.requests.TxnOffsetCommitResponse;

/**
 * One TxnOffsetCommit (API key 28) and what its answer says, in the versions of transaction version 2: 6 names topics
 * by their ids, 5 by their names (KIP-1319). By id only if every topic has one.
 */
final class TxnOffsetCommit extends AbstractRequest.Builder<TxnOffsetCommitRequest> {
    static final short BY_NAME = 5;
    static final short BY_ID = 6;

    private final TxnOffsetCommitRequestData data;
    private final Map<Uuid, String> names;
    private final Map<TopicPartition, OffsetAndMetadata> offsets;

    private TxnOffsetCommit(
            TxnOffsetCommitRequestData data,
            Map<Uuid, String> names,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            short latest) {
        super(ApiKeys.TXN_OFFSET_COMMIT, BY_NAME, latest);
        this.data = data;
        this.names = names;
        this.offsets = offsets;
    }

    /**
     * Makes a request.
     *
     * @param producer whose transaction
     * @param group the consumer's group metadata
     * @param offsets what to commit
     * @param ids the ids of all topics, zero for one that has none
     */
    static TxnOffsetCommit of(
            TransactionalIdentity producer,
            ConsumerGroupMetadata group,
            Map<TopicPartition, OffsetAndMetadata> offsets,
            Map<String, Uuid> ids) {
        TxnOffsetCommitRequestData data = new TxnOffsetCommitRequestData()
                .setTransactionalId(producer.transactionalId())
                .setProducerId(producer.producerId())
                .setProducerEpoch(producer.epoch())
                .setGroupId(group.groupId())
                .setMemberId(group.memberId())
                .setGenerationIdOrMemberEpoch(group.generationId())
                .setGroupInstanceId(group.groupInstanceId().orElse(null))
                .setTopics(topics(offsets, ids));
        Map<Uuid, String> names = new HashMap<>();
        ids.forEach((name, id) -> names.put(id, name));
        boolean everyTopicHasAnId = !names.containsKey(Uuid.ZERO_UUID);
        return new TxnOffsetCommit(data, names, Map.copyOf(offsets), everyTopicHasAnId ? BY_ID : BY_NAME);
    }

    /** {@return whether it may go out by id} */
    boolean hasIds() {
        return latestAllowedVersion() == BY_ID;
    }

    @Override
    public TxnOffsetCommitRequest build(short version) {
        return new TxnOffsetCommitRequest(data, version);
    }

    /**
     * {@return of each partition that was asked for what the answer says} A partition that it does not mention has not
     * been committed, as far as anybody knows.
     */
    Map<TopicPartition, Errors> read(ClientResponse response) {
        TxnOffsetCommitResponse answer = (TxnOffsetCommitResponse) response.responseBody();
        boolean byId = response.requestHeader().apiVersion() >= BY_ID;
        Map<TopicPartition, Errors> errors = new HashMap<>();
        offsets.keySet().forEach(partition -> errors.put(partition, Errors.UNKNOWN_SERVER_ERROR));
        for (TxnOffsetCommitResponseTopic topic : answer.data().topics()) {
            String name = byId ? names.get(topic.topicId()) : topic.name();
            if (name != null) {
                for (TxnOffsetCommitResponsePartition partition : topic.partitions()) {
                    errors.replace(
                            new TopicPartition(name, partition.partitionIndex()),
                            Errors.forCode(partition.errorCode()));
                }
            }
        }
        return errors;
    }

    /** With names and ids: a version leaves out what it does not have. */
    private static List<TxnOffsetCommitRequestTopic> topics(
            Map<TopicPartition, OffsetAndMetadata> offsets, Map<String, Uuid> ids) {
        Map<String, TxnOffsetCommitRequestTopic> topics = new LinkedHashMap<>();
        offsets.forEach((partition, offset) -> topics.computeIfAbsent(
                        partition.topic(),
                        name -> new TxnOffsetCommitRequestTopic()
                                .setName(name)
                                .setTopicId(ids.getOrDefault(name, Uuid.ZERO_UUID))
                                .setPartitions(new ArrayList<>()))
                .partitions()
                .add(new TxnOffsetCommitRequestPartition()
                        .setPartitionIndex(partition.partition())
                        .setCommittedOffset(offset.offset())
                        .setCommittedLeaderEpoch(offset.leaderEpoch().orElse(-1))
                        .setCommittedMetadata(offset.metadata())));
        return new ArrayList<>(topics.values());
    }

    /** In messages and logs. */
    @Override
    public String toString() {
        return data.toString();
    }
}
