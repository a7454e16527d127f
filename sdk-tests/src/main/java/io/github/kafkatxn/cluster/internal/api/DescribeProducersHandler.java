package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.log.ActiveProducer;
import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.DescribeProducersRequestData;
import org.apache.kafka.common.message.DescribeProducersRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeProducersResponseData;
import org.apache.kafka.common.message.DescribeProducersResponseData.PartitionResponse;
import org.apache.kafka.common.message.DescribeProducersResponseData.ProducerState;
import org.apache.kafka.common.message.DescribeProducersResponseData.TopicResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.resource.ResourceType;

/**
 * DescribeProducers (key 61).
 *
 * <p><b>Versions</b>: 0.
 *
 * <p><b>Behaviour</b>: the producers that a partition knows, with their epochs, last sequences and open transactions.
 *
 * <p><b>Left out</b>: nothing.
 */
final class DescribeProducersHandler implements ApiHandler<DescribeProducersRequestData> {
    private final NodeContext node;
    private final Leaders leaders;

    DescribeProducersHandler(NodeContext node) {
        this.node = node;
        this.leaders = new Leaders(node);
    }

    @Override
    public short key() {
        return ApiMessageType.DESCRIBE_PRODUCERS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.DESCRIBE_PRODUCERS);
    }

    @Override
    public void handle(Call<DescribeProducersRequestData> call) {
        DescribeProducersResponseData response = new DescribeProducersResponseData();
        for (TopicRequest topic : call.request().topics()) {
            Errors error = check(call.principal(), topic.name());
            TopicResponse answer = new TopicResponse().setName(topic.name());
            for (int index : topic.partitionIndexes()) {
                answer.partitions()
                        .add(
                                error == Errors.NONE
                                        ? describe(new TopicPartition(topic.name(), index))
                                        : new PartitionResponse()
                                                .setPartitionIndex(index)
                                                .setErrorCode(error.code())
                                                .setErrorMessage(error.message()));
            }
            response.topics().add(answer);
        }
        call.answer(response);
    }

    private Errors check(String principal, String topic) {
        try {
            Topic.validate(topic);
        } catch (InvalidTopicException e) {
            return Errors.INVALID_TOPIC_EXCEPTION;
        }
        if (!node.authorizer().allows(principal, AclOperation.READ, ResourceType.TOPIC, topic)) {
            return Errors.TOPIC_AUTHORIZATION_FAILED;
        }
        return node.image().get().topic(topic).isEmpty() ? Errors.UNKNOWN_TOPIC_OR_PARTITION : Errors.NONE;
    }

    private PartitionResponse describe(TopicPartition partition) {
        PartitionResponse response = new PartitionResponse().setPartitionIndex(partition.partition());
        Errors error = leaders.check(partition, RecordBatch.NO_PARTITION_LEADER_EPOCH);
        if (error != Errors.NONE) {
            return response.setErrorCode(error.code());
        }
        LedPartition led = leaders.get(partition);
        led.expireProducers(
                node.settings().number("producer.id.expiration.ms"),
                node.settings().number("producer.id.expiration.check.interval.ms"));
        List<ProducerState> producers = led.log().activeProducers().stream()
                .map(DescribeProducersHandler::describe)
                .toList();
        return response.setActiveProducers(producers);
    }

    private static ProducerState describe(ActiveProducer producer) {
        return new ProducerState()
                .setProducerId(producer.producerId())
                .setProducerEpoch(producer.producerEpoch())
                .setLastSequence(producer.lastSequence())
                .setLastTimestamp(producer.lastTimestamp())
                .setCoordinatorEpoch(producer.coordinatorEpoch())
                .setCurrentTxnStartOffset(producer.transactionStart());
    }
}
