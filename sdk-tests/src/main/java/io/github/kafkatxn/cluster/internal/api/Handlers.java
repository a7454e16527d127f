package io.github.kafkatxn.cluster.internal.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.protocol.Errors;

/** All handlers of a node. */
public final class Handlers {
    private Handlers() {}

    /**
     * Makes the handlers of a node.
     *
     * @param node what they work with
     * @param caps the highest version of keys that are to look older, by key; a negative one hides the key
     * @return what the node answers
     */
    public static ApiRegistry of(NodeContext node, Map<Short, Short> caps) {
        ApiRegistry registry = new ApiRegistry();
        List<ApiHandler<?>> handlers = new ArrayList<>();
        handlers.add(new ApiVersionsHandler(registry, node.image()));
        handlers.addAll(DataHandlers.of(node));
        handlers.addAll(TransactionHandlers.of(node));
        handlers.addAll(GroupHandlers.of(node));
        handlers.addAll(ShareHandlers.of(node));
        handlers.addAll(AdminHandlers.of(node));
        registry.register(handlers, caps);
        return registry;
    }

    /**
     * The answer to ApiVersions in a version that is not known here: in version 0, with the list.
     *
     * @param registry what the node answers
     * @return the answer
     */
    public static ApiVersionsResponseData unsupportedVersion(ApiRegistry registry) {
        return ApiVersionsHandler.list(registry, Errors.UNSUPPORTED_VERSION);
    }
}
