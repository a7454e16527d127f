package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.LinkedHashSet;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResult;
import org.apache.kafka.common.protocol.Errors;

/**
 * DeleteGroups (key 42).
 *
 * <p><b>Versions</b>: 0-3.
 *
 * <p><b>Behaviour</b>: each group for itself: DELETE on it, else GROUP_AUTHORIZATION_FAILED; not there
 * GROUP_ID_NOT_FOUND; with members NON_EMPTY_GROUP. Its offsets go with it, the pending ones too.
 *
 * <p><b>Left out</b>: the message of version 3, which a broker gives for streams groups.
 */
final class DeleteGroupsHandler implements ApiHandler<DeleteGroupsRequestData> {
    private final NodeContext node;

    DeleteGroupsHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.DELETE_GROUPS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.DELETE_GROUPS);
    }

    @Override
    public void handle(Call<DeleteGroupsRequestData> call) {
        DeleteGroupsResponseData response = new DeleteGroupsResponseData();
        for (String id : new LinkedHashSet<>(call.request().groupsNames())) {
            response.results()
                    .add(new DeletableGroupResult()
                            .setGroupId(id)
                            .setErrorCode(delete(call, id).code()));
        }
        call.answer(response);
    }

    private Errors delete(Call<?> call, String id) {
        if (!GroupRequests.mayGroup(node, call, AclOperation.DELETE, id)) {
            return Errors.GROUP_AUTHORIZATION_FAILED;
        }
        try {
            node.groups().shardOf(id).inventory().delete(id);
            return Errors.NONE;
        } catch (ApiException e) {
            return Errors.forException(e);
        }
    }
}
