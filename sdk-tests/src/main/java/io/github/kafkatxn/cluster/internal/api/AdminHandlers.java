package io.github.kafkatxn.cluster.internal.api;

import java.util.List;

/** The cluster: metadata, topics, configuration, coordinators. */
final class AdminHandlers {
    private AdminHandlers() {}

    static List<ApiHandler<?>> of(NodeContext node) {
        return List.of();
    }
}
