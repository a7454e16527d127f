package io.github.kafkatxn.cluster.internal.api;

import java.util.List;

/** Groups: members and offsets. */
final class GroupHandlers {
    private GroupHandlers() {}

    static List<ApiHandler<?>> of(NodeContext node) {
        return List.of();
    }
}
