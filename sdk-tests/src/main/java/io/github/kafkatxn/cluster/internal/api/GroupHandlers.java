package io.github.kafkatxn.cluster.internal.api;

import java.util.List;

/** Groups: members and offsets. */
final class GroupHandlers {
    private GroupHandlers() {}

    static List<ApiHandler<?>> of(NodeContext node) {
        return List.of(
                new JoinGroupHandler(node),
                new SyncGroupHandler(node),
                new HeartbeatHandler(node),
                new LeaveGroupHandler(node),
                new ConsumerGroupHeartbeatHandler(node),
                new ConsumerGroupDescribeHandler(node),
                new DescribeGroupsHandler(node),
                new ListGroupsHandler(node),
                new DeleteGroupsHandler(node),
                new OffsetCommitHandler(node),
                new OffsetFetchHandler(node),
                new OffsetDeleteHandler(node),
                new TxnOffsetCommitHandler(node));
    }
}
