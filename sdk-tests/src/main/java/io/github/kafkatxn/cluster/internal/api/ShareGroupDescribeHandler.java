package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ShareGroupDescribeRequestData;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData.TopicPartitions;
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
        DescribedGroup group = GroupRequests.describe(
                node,
                call,
                id,
                inventory -> inventory.describeSharers(id),
                ShareGroupDescribeHandler::topics,
                error -> new DescribedGroup().setGroupId(id).setErrorCode(error.code()));
        if (group.errorCode() == Errors.NONE.code() && call.request().includeAuthorizedOperations()) {
            group.setAuthorizedOperations(GroupRequests.authorizedOperations(node, call, id));
        }
        return group;
    }

    private static Stream<String> topics(DescribedGroup group) {
        return group.members().stream()
                .flatMap(member -> member.assignment().topicPartitions().stream())
                .map(TopicPartitions::topicName);
    }
}
