package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * ConsumerGroupHeartbeat (key 68, KIP-848).
 *
 * <p><b>Versions</b>: 0-1. In version 1 clients make their member ids themselves.
 *
 * <p><b>Behaviour</b>: READ on the group, DESCRIBE on every subscribed topic. Then as section 15.2 of the rules: joins,
 * stays, moves on and leaves; assigns on the server ({@code uniform} and {@code range}), revokes first.
 *
 * <p><b>Left out</b>: rack-aware assignment; DESCRIBE on the topics that a regular expression finds, whose syntax is
 * Java's and not RE2's; taking over a classic group with members, and classic members in a group of this protocol.
 */
final class ConsumerGroupHeartbeatHandler implements ApiHandler<ConsumerGroupHeartbeatRequestData> {
    private final NodeContext node;

    ConsumerGroupHeartbeatHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.CONSUMER_GROUP_HEARTBEAT.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.CONSUMER_GROUP_HEARTBEAT);
    }

    @Override
    public void handle(Call<ConsumerGroupHeartbeatRequestData> call) {
        ConsumerGroupHeartbeatRequestData request = call.request();
        if (!GroupRequests.mayGroup(node, call, AclOperation.READ, request.groupId())) {
            call.answer(failed(Errors.GROUP_AUTHORIZATION_FAILED, null));
            return;
        }
        List<String> topics = request.subscribedTopicNames();
        if (topics != null
                && !topics.stream()
                        .allMatch(topic -> GroupRequests.mayTopic(node, call, AclOperation.DESCRIBE, topic))) {
            call.answer(failed(Errors.TOPIC_AUTHORIZATION_FAILED, null));
            return;
        }
        try {
            call.answer(
                    node.groups().shardOf(request.groupId()).modern().heartbeat(GroupRequests.caller(call), request));
        } catch (ApiException e) {
            call.answer(failed(Errors.forException(e), e.getMessage()));
        }
    }

    private static ConsumerGroupHeartbeatResponseData failed(Errors error, @Nullable String message) {
        return new ConsumerGroupHeartbeatResponseData()
                .setErrorCode(error.code())
                .setErrorMessage(message);
    }
}
