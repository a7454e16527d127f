package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopicCollection;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnPartitionResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResultCollection;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;

/**
 * AddPartitionsToTxn (key 24).
 *
 * <p><b>Versions</b>: 0-5. Up to 3 a client names the partitions of its transaction; from 4 on a partition's leader
 * asks for several transactions at once, to verify or to add (KIP-890).
 *
 * <p><b>Behaviour</b>: all partitions of a transaction are added or none: if one cannot be, the others answer
 * OPERATION_NOT_ATTEMPTED.
 *
 * <p><b>Left out</b>: nothing.
 */
final class AddPartitionsToTxnHandler implements ApiHandler<AddPartitionsToTxnRequestData> {
    private static final short BATCHED = 4;
    private static final short KNOWS_FENCED = 2;

    private final NodeContext node;
    private final Rights rights;

    AddPartitionsToTxnHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.ADD_PARTITIONS_TO_TXN.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.ADD_PARTITIONS_TO_TXN);
    }

    @Override
    public void handle(Call<AddPartitionsToTxnRequestData> call) {
        call.answer(call.version() < BATCHED ? fromClient(call) : fromLeader(call));
    }

    private AddPartitionsToTxnResponseData fromClient(Call<AddPartitionsToTxnRequestData> call) {
        AddPartitionsToTxnRequestData request = call.request();
        String id = request.v3AndBelowTransactionalId();
        Set<TopicPartition> partitions = partitions(request.v3AndBelowTopics());
        Map<TopicPartition, Errors> answers = new HashMap<>();
        if (rights.allows(call, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, id)) {
            answers.putAll(add(
                    id,
                    request.v3AndBelowProducerId(),
                    request.v3AndBelowProducerEpoch(),
                    partitions,
                    checked(call, partitions),
                    (byte) 0));
        } else {
            partitions.forEach(partition -> answers.put(partition, Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED));
        }
        if (call.version() < KNOWS_FENCED) {
            answers.replaceAll(
                    (partition, error) -> error == Errors.PRODUCER_FENCED ? Errors.INVALID_PRODUCER_EPOCH : error);
        }
        return new AddPartitionsToTxnResponseData().setResultsByTopicV3AndBelow(results(answers));
    }

    private AddPartitionsToTxnResponseData fromLeader(Call<AddPartitionsToTxnRequestData> call) {
        AddPartitionsToTxnResponseData response = new AddPartitionsToTxnResponseData();
        if (!rights.allows(call, AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, Rights.CLUSTER_NAME)) {
            return response.setErrorCode(Errors.CLUSTER_AUTHORIZATION_FAILED.code());
        }
        for (AddPartitionsToTxnTransaction transaction : call.request().transactions()) {
            Set<TopicPartition> partitions = partitions(transaction.topics());
            Map<TopicPartition, Errors> unknown = unknown(partitions);
            Map<TopicPartition, Errors> answers = transaction.verifyOnly() && unknown.isEmpty()
                    ? node.transactions()
                            .verify(
                                    transaction.transactionalId(),
                                    transaction.producerId(),
                                    transaction.producerEpoch(),
                                    partitions)
                    : add(
                            transaction.transactionalId(),
                            transaction.producerId(),
                            transaction.producerEpoch(),
                            partitions,
                            unknown,
                            (byte) 2);
            response.resultsByTransaction()
                    .add(new AddPartitionsToTxnResult()
                            .setTransactionalId(transaction.transactionalId())
                            .setTopicResults(results(answers)));
        }
        return response;
    }

    private Map<TopicPartition, Errors> add(
            String id,
            long producerId,
            short epoch,
            Set<TopicPartition> partitions,
            Map<TopicPartition, Errors> bad,
            byte version) {
        Map<TopicPartition, Errors> answers = new HashMap<>();
        Errors rest = bad.isEmpty()
                ? node.transactions().add(id, producerId, epoch, partitions, version)
                : Errors.OPERATION_NOT_ATTEMPTED;
        partitions.forEach(partition -> answers.put(partition, bad.getOrDefault(partition, rest)));
        return answers;
    }

    private Map<TopicPartition, Errors> checked(Call<?> call, Set<TopicPartition> partitions) {
        Map<TopicPartition, Errors> bad = unknown(partitions);
        for (TopicPartition partition : partitions) {
            if (InternalTopics.contains(partition.topic())
                    || !rights.allows(call, AclOperation.WRITE, ResourceType.TOPIC, partition.topic())) {
                bad.put(partition, Errors.TOPIC_AUTHORIZATION_FAILED);
            }
        }
        return bad;
    }

    private Map<TopicPartition, Errors> unknown(Set<TopicPartition> partitions) {
        ClusterImage image = node.image().get();
        Map<TopicPartition, Errors> unknown = new HashMap<>();
        for (TopicPartition partition : partitions) {
            if (image.partition(partition).isEmpty()) {
                unknown.put(partition, Errors.UNKNOWN_TOPIC_OR_PARTITION);
            }
        }
        return unknown;
    }

    private static Set<TopicPartition> partitions(AddPartitionsToTxnTopicCollection topics) {
        Set<TopicPartition> partitions = new HashSet<>();
        topics.forEach(topic ->
                topic.partitions().forEach(index -> partitions.add(new TopicPartition(topic.name(), index))));
        return partitions;
    }

    private static AddPartitionsToTxnTopicResultCollection results(Map<TopicPartition, Errors> answers) {
        AddPartitionsToTxnTopicResultCollection results = new AddPartitionsToTxnTopicResultCollection();
        answers.forEach((partition, error) -> {
            AddPartitionsToTxnTopicResult topic = results.find(partition.topic());
            if (topic == null) {
                topic = new AddPartitionsToTxnTopicResult().setName(partition.topic());
                results.add(topic);
            }
            topic.resultsByPartition()
                    .add(new AddPartitionsToTxnPartitionResult()
                            .setPartitionIndex(partition.partition())
                            .setPartitionErrorCode(error.code()));
        });
        return results;
    }
}
