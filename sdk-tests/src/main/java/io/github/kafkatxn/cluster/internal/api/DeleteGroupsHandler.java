package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.group.AssignedPartition;
import io.github.kafkatxn.cluster.internal.group.GroupShard;
import io.github.kafkatxn.cluster.internal.share.SharePartitionKey;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.LinkedHashSet;
import java.util.Set;
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
 * GROUP_ID_NOT_FOUND; with members NON_EMPTY_GROUP. Its offsets go with it, the pending ones too, and the states of its
 * share partitions.
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
        Gathering gathering = new Gathering(() -> call.answer(response));
        for (String id : new LinkedHashSet<>(call.request().groupsNames())) {
            response.results()
                    .add(new DeletableGroupResult()
                            .setGroupId(id)
                            .setErrorCode(delete(call, id, gathering).code()));
        }
        gathering.arrived();
    }

    private Errors delete(Call<?> call, String id, Gathering gathering) {
        if (!GroupRequests.mayGroup(node, call, AclOperation.DELETE, id)) {
            return Errors.GROUP_AUTHORIZATION_FAILED;
        }
        try {
            GroupShard shard = node.groups().shardOf(id);
            Set<AssignedPartition> shared = shard.share().partitions(id);
            shard.inventory().delete(id);
            for (AssignedPartition partition : shared) {
                gathering.expect();
                SharePartitionKey key = new SharePartitionKey(id, partition.topicId(), partition.partition());
                node.share().states().delete(key, error -> gathering.arrived());
            }
            return Errors.NONE;
        } catch (ApiException e) {
            return Errors.forException(e);
        }
    }
}
