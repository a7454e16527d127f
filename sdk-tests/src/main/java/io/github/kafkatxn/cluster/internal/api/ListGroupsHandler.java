package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.group.GroupShard;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourceType;

/**
 * ListGroups (key 16).
 *
 * <p><b>Versions</b>: 0-5. From 4 on by state, from 5 on by type.
 *
 * <p><b>Behaviour</b>: the groups that this node coordinates. Who may not DESCRIBE the cluster sees those that he may
 * DESCRIBE. COORDINATOR_LOAD_IN_PROGRESS while a partition is being read.
 *
 * <p><b>Left out</b>: nothing.
 */
final class ListGroupsHandler implements ApiHandler<ListGroupsRequestData> {
    private final NodeContext node;

    ListGroupsHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.LIST_GROUPS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.LIST_GROUPS);
    }

    @Override
    public void handle(Call<ListGroupsRequestData> call) {
        ListGroupsRequestData request = call.request();
        ListGroupsResponseData response = new ListGroupsResponseData();
        boolean all = node.authorizer()
                .allows(call.principal(), AclOperation.DESCRIBE, ResourceType.CLUSTER, Resource.CLUSTER_NAME);
        try {
            for (GroupShard shard : node.groups().shards()) {
                shard.inventory().list(request.statesFilter(), request.typesFilter()).stream()
                        .filter(group ->
                                all || GroupRequests.mayGroup(node, call, AclOperation.DESCRIBE, group.groupId()))
                        .forEach(response.groups()::add);
            }
        } catch (ApiException e) {
            response = new ListGroupsResponseData()
                    .setErrorCode(Errors.forException(e).code());
        }
        call.answer(response);
    }
}
