package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.TopicPartitions;
import org.apache.kafka.common.protocol.Errors;

/**
 * ConsumerGroupDescribe (key 69, KIP-848).
 *
 * <p><b>Versions</b>: 0-1. Version 1 tells the type of each member.
 *
 * <p><b>Behaviour</b>: each group for itself: DESCRIBE on it, else GROUP_AUTHORIZATION_FAILED; empty id
 * INVALID_GROUP_ID; not there or of another protocol GROUP_ID_NOT_FOUND; a member's topic that may not be described
 * hides the members: TOPIC_AUTHORIZATION_FAILED.
 *
 * <p><b>Left out</b>: nothing.
 */
final class ConsumerGroupDescribeHandler implements ApiHandler<ConsumerGroupDescribeRequestData> {
    private final NodeContext node;

    ConsumerGroupDescribeHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.CONSUMER_GROUP_DESCRIBE.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.CONSUMER_GROUP_DESCRIBE);
    }

    @Override
    public void handle(Call<ConsumerGroupDescribeRequestData> call) {
        ConsumerGroupDescribeResponseData response = new ConsumerGroupDescribeResponseData();
        call.request().groupIds().forEach(id -> response.groups().add(describe(call, id)));
        call.answer(response);
    }

    private DescribedGroup describe(Call<ConsumerGroupDescribeRequestData> call, String id) {
        DescribedGroup group = GroupRequests.describe(
                node,
                call,
                id,
                inventory -> inventory.describeConsumers(id),
                ConsumerGroupDescribeHandler::topics,
                error -> new DescribedGroup().setGroupId(id).setErrorCode(error.code()));
        if (group.errorCode() == Errors.NONE.code() && call.request().includeAuthorizedOperations()) {
            group.setAuthorizedOperations(GroupRequests.authorizedOperations(node, call, id));
        }
        return group;
    }

    private static Stream<String> topics(DescribedGroup group) {
        return group.members().stream()
                .flatMap(member -> Stream.concat(
                        member.subscribedTopicNames().stream(),
                        member.assignment().topicPartitions().stream().map(TopicPartitions::topicName)));
    }
}
