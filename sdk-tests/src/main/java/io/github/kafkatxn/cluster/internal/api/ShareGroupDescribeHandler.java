package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ShareGroupDescribeRequestData;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData.Member;
import org.apache.kafka.common.protocol.Errors;

/**
 * ShareGroupDescribe (key 77, KIP-932).
 *
 * <p><b>Versions</b>: 1.
 *
 * <p><b>Behaviour</b>: each group for itself: DESCRIBE on it, else GROUP_AUTHORIZATION_FAILED; empty id
 * INVALID_GROUP_ID; not there or of another protocol GROUP_ID_NOT_FOUND; a member's topic that may not be described
 * hides the members: TOPIC_AUTHORIZATION_FAILED.
 *
 * <p><b>Left out</b>: nothing.
 */
final class ShareGroupDescribeHandler implements ApiHandler<ShareGroupDescribeRequestData> {
    private final NodeContext node;

    ShareGroupDescribeHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.SHARE_GROUP_DESCRIBE.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.SHARE_GROUP_DESCRIBE);
    }

    @Override
    public void handle(Call<ShareGroupDescribeRequestData> call) {
        ShareGroupDescribeResponseData response = new ShareGroupDescribeResponseData();
        call.request().groupIds().forEach(id -> response.groups().add(describe(call, id)));
        call.answer(response);
    }

    private DescribedGroup describe(Call<ShareGroupDescribeRequestData> call, String id) {
        if (!GroupRequests.mayGroup(node, call, AclOperation.DESCRIBE, id)) {
            return failed(id, Errors.GROUP_AUTHORIZATION_FAILED);
        }
        if (id.isEmpty()) {
            return failed(id, Errors.INVALID_GROUP_ID);
        }
        DescribedGroup group;
        try {
            group = node.groups().shardOf(id).inventory().describeSharers(id);
        } catch (ApiException e) {
            return failed(id, Errors.forException(e));
        }
        if (!group.members().stream().allMatch(member -> mayDescribe(call, member))) {
            return failed(id, Errors.TOPIC_AUTHORIZATION_FAILED);
        }
        if (call.request().includeAuthorizedOperations()) {
            group.setAuthorizedOperations(GroupRequests.authorizedOperations(node, call, id));
        }
        return group;
    }

    private boolean mayDescribe(Call<?> call, Member member) {
        return member.subscribedTopicNames().stream()
                        .allMatch(topic -> GroupRequests.mayTopic(node, call, AclOperation.DESCRIBE, topic))
                && member.assignment().topicPartitions().stream()
                        .allMatch(
                                topic -> GroupRequests.mayTopic(node, call, AclOperation.DESCRIBE, topic.topicName()));
    }

    private static DescribedGroup failed(String id, Errors error) {
        return new DescribedGroup().setGroupId(id).setErrorCode(error.code());
    }
}
