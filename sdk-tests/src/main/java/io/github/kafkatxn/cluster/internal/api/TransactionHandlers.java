package io.github.kafkatxn.cluster.internal.api;

import java.util.List;

/** Transactions: ids, states, markers. */
final class TransactionHandlers {
    private TransactionHandlers() {}

    static List<ApiHandler<?>> of(NodeContext node) {
        return List.of();
    }
}
