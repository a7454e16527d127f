package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.Objects;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.protocol.Errors;

/**
 * DescribeGroups (key 15).
 *
 * <p><b>Versions</b>: 0-6. From 6 on a group that is not there is an error, before it is dead.
 *
 * <p><b>Behaviour</b>: each group for itself: DESCRIBE on it, else GROUP_AUTHORIZATION_FAILED; not there, or of the
 * consumer protocol, GROUP_ID_NOT_FOUND. Metadata and assignments of members only while the group is stable.
 *
 * <p><b>Left out</b>: nothing.
 */
final class DescribeGroupsHandler implements ApiHandler<DescribeGroupsRequestData> {
    private static final short MESSAGE_SINCE = 6;

    private final NodeContext node;

    DescribeGroupsHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.DESCRIBE_GROUPS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.DESCRIBE_GROUPS);
    }

    @Override
    public void handle(Call<DescribeGroupsRequestData> call) {
        DescribeGroupsResponseData response = new DescribeGroupsResponseData();
        call.request().groups().forEach(id -> response.groups().add(describe(call, id)));
        call.answer(response);
    }

    private DescribedGroup describe(Call<DescribeGroupsRequestData> call, String id) {
        if (!GroupRequests.mayGroup(node, call, AclOperation.DESCRIBE, id)) {
            return failed(call, id, Errors.GROUP_AUTHORIZATION_FAILED, "");
        }
        try {
            DescribedGroup group = node.groups().shardOf(id).inventory().describe(id, call.version());
            if (call.request().includeAuthorizedOperations() && group.errorCode() == Errors.NONE.code()) {
                group.setAuthorizedOperations(GroupRequests.authorizedOperations(node, call, id));
            }
            return group;
        } catch (ApiException e) {
            return failed(call, id, Errors.forException(e), Objects.requireNonNullElse(e.getMessage(), ""));
        }
    }

    private static DescribedGroup failed(Call<?> call, String id, Errors error, String message) {
        DescribedGroup group = new DescribedGroup().setGroupId(id).setErrorCode(error.code());
        return call.version() >= MESSAGE_SINCE ? group.setErrorMessage(message) : group;
    }
}
