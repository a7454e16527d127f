package io.github.kafkatxn.cluster.internal.api;

import java.util.List;

/** Transactions: ids, states, markers. */
final class TransactionHandlers {
    private TransactionHandlers() {}

    static List<ApiHandler<?>> of(NodeContext node) {
        Rights rights = new Rights(node.authorizer());
        return List.of(
                new InitProducerIdHandler(node, rights),
                new AddPartitionsToTxnHandler(node, rights),
                new AddOffsetsToTxnHandler(node, rights),
                new EndTxnHandler(node, rights),
                new WriteTxnMarkersHandler(node, rights),
                new DescribeTransactionsHandler(node, rights),
                new ListTransactionsHandler(node, rights));
    }
}
