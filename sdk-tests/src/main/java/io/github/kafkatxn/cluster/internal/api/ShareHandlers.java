package io.github.kafkatxn.cluster.internal.api;

import java.util.List;

/** Share groups: members, records, what is kept of them. */
final class ShareHandlers {
    private ShareHandlers() {}

    static List<ApiHandler<?>> of(NodeContext node) {
        ShareSessions sessions = new ShareSessions(node);
        return List.of(
                new ShareGroupHeartbeatHandler(node),
                new ShareGroupDescribeHandler(node),
                new ShareFetchHandler(node, sessions),
                new ShareAcknowledgeHandler(node, sessions),
                new InitializeShareGroupStateHandler(node),
                new ReadShareGroupStateHandler(node),
                new WriteShareGroupStateHandler(node),
                new DeleteShareGroupStateHandler(node),
                new ReadShareGroupStateSummaryHandler(node),
                new DescribeShareGroupOffsetsHandler(node),
                new AlterShareGroupOffsetsHandler(node),
                new DeleteShareGroupOffsetsHandler(node),
                new TxnShareAcknowledgeHandler(node));
    }
}
