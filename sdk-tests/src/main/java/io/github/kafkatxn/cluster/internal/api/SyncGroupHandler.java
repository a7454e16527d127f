package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;

/**
 * SyncGroup (key 14).
 *
 * <p><b>Versions</b>: 0-5. From 5 on type and name of the protocol have to be given: INCONSISTENT_GROUP_PROTOCOL.
 *
 * <p><b>Behaviour</b>: READ on the group, else GROUP_AUTHORIZATION_FAILED; empty id INVALID_GROUP_ID. Then as section
 * 15.1 of the rules: at once in a stable group, else when the leader has decided.
 *
 * <p><b>Left out</b>: classic members of a group of the consumer protocol.
 */
final class SyncGroupHandler implements ApiHandler<SyncGroupRequestData> {
    private static final int PROTOCOL_REQUIRED_SINCE = 5;

    private final NodeContext node;

    SyncGroupHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.SYNC_GROUP.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.SYNC_GROUP);
    }

    @Override
    public void handle(Call<SyncGroupRequestData> call) {
        SyncGroupRequestData request = call.request();
        boolean unnamed = request.protocolType() == null || request.protocolName() == null;
        if (call.version() >= PROTOCOL_REQUIRED_SINCE && unnamed) {
            call.answer(failed(Errors.INCONSISTENT_GROUP_PROTOCOL));
            return;
        }
        Errors error = GroupRequests.checkMember(node, call, request.groupId());
        if (error != Errors.NONE) {
            call.answer(failed(error));
            return;
        }
        try {
            node.groups().shardOf(request.groupId()).classic().sync(request, call::answer);
        } catch (ApiException e) {
            call.answer(failed(Errors.forException(e)));
        }
    }

    private static SyncGroupResponseData failed(Errors error) {
        return new SyncGroupResponseData().setErrorCode(error.code());
    }
}
