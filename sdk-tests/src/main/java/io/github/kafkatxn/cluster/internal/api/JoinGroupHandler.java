package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.JoinGroupRequest;
import org.apache.kafka.common.requests.JoinGroupResponse;

/**
 * JoinGroup (key 11).
 *
 * <p><b>Versions</b>: 0-9. From 4 on a new member is given an id and comes back with it, from 5 on there are static
 * members, from 7 on the protocol's name may be null, from 9 on a leader may be told not to assign.
 *
 * <p><b>Behaviour</b>: READ on the group, else GROUP_AUTHORIZATION_FAILED; empty id INVALID_GROUP_ID. Then as section
 * 15.1 of the rules. The answer comes when the group has a new generation; until then the connection waits.
 *
 * <p><b>Left out</b>: joining a group of the consumer protocol that has members: INCONSISTENT_GROUP_PROTOCOL, as where
 * the migration policy forbids it.
 */
final class JoinGroupHandler implements ApiHandler<JoinGroupRequestData> {
    private final NodeContext node;

    JoinGroupHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.JOIN_GROUP.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.JOIN_GROUP);
    }

    @Override
    public void handle(Call<JoinGroupRequestData> call) {
        JoinGroupRequestData request = call.request();
        if (call.version() == 0) {
            request.setRebalanceTimeoutMs(request.sessionTimeoutMs());
        }
        Errors error = GroupRequests.checkMember(node, call, request.groupId());
        if (error != Errors.NONE) {
            answer(call, failed(call, error));
            return;
        }
        try {
            node.groups()
                    .shardOf(request.groupId())
                    .join()
                    .join(GroupRequests.caller(call), request, response -> answer(call, response));
        } catch (ApiException e) {
            answer(call, failed(call, Errors.forException(e)));
        }
    }

    private static JoinGroupResponseData failed(Call<JoinGroupRequestData> call, Errors error) {
        boolean tooMany = error == Errors.GROUP_MAX_SIZE_REACHED;
        return new JoinGroupResponseData()
                .setMemberId(
                        tooMany
                                ? JoinGroupRequest.UNKNOWN_MEMBER_ID
                                : call.request().memberId())
                .setErrorCode(error.code());
    }

    /** Old versions cannot carry a null name of a protocol. */
    private static void answer(Call<JoinGroupRequestData> call, JoinGroupResponseData response) {
        call.answer(new JoinGroupResponse(response, call.version()).data());
    }
}
