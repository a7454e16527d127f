package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;

/**
 * Heartbeat (key 12).
 *
 * <p><b>Versions</b>: 0-4. From 3 on there are static members.
 *
 * <p><b>Behaviour</b>: READ on the group, else GROUP_AUTHORIZATION_FAILED; empty id INVALID_GROUP_ID. Unknown group or
 * member UNKNOWN_MEMBER_ID, instance id of another FENCED_INSTANCE_ID, other generation ILLEGAL_GENERATION,
 * REBALANCE_IN_PROGRESS while members join. A coordinator that is still reading its log knows nothing and says NONE.
 *
 * <p><b>Left out</b>: classic members of a group of the consumer protocol.
 */
final class HeartbeatHandler implements ApiHandler<HeartbeatRequestData> {
    private final NodeContext node;

    HeartbeatHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.HEARTBEAT.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.HEARTBEAT);
    }

    @Override
    public void handle(Call<HeartbeatRequestData> call) {
        Errors error = GroupRequests.checkMember(node, call, call.request().groupId());
        if (error == Errors.NONE) {
            error = heartbeat(call.request());
        }
        call.answer(new HeartbeatResponseData().setErrorCode(error.code()));
    }

    private Errors heartbeat(HeartbeatRequestData request) {
        try {
            return node.groups().shardOf(request.groupId()).classic().heartbeat(request);
        } catch (ApiException e) {
            Errors error = Errors.forException(e);
            return error == Errors.COORDINATOR_LOAD_IN_PROGRESS ? Errors.NONE : error;
        }
    }
}
