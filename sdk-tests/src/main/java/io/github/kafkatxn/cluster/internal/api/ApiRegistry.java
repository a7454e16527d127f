package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.protocol.ApiMessage;

/** What a node answers, and in which versions: nothing else is listed, and all that is listed works. */
public final class ApiRegistry {
    private final Map<Short, Entry> entries = new TreeMap<>();

    /**
     * A handler and the versions of it that the node shows.
     *
     * @param handler the handler
     * @param versions its versions, or fewer on a node that is told to be old
     */
    public record Entry(ApiHandler<?> handler, VersionRange versions) {}

    /**
     * Registers the handlers of a node.
     *
     * @param handlers each for a key of its own
     * @param caps the highest version of keys that are to look older, by key; a negative one hides the key
     */
    public void register(Collection<? extends ApiHandler<?>> handlers, Map<Short, Short> caps) {
        for (ApiHandler<?> handler : handlers) {
            Short cap = caps.get(handler.key());
            if (cap != null && cap < handler.versions().min()) {
                continue;
            }
            VersionRange versions =
                    cap == null ? handler.versions() : handler.versions().upTo(cap);
            if (entries.put(handler.key(), new Entry(handler, versions)) != null) {
                throw new IllegalStateException("two handlers for API key " + handler.key());
            }
        }
    }

    /**
     * The handler of a key.
     *
     * @param key the API key
     * @return its handler, empty if the node does not know the key
     */
    public Optional<Entry> find(short key) {
        return Optional.ofNullable(entries.get(key));
    }

    /** {@return all handlers, by key} */
    public Collection<Entry> entries() {
        return entries.values();
    }

    /**
     * Hands a request to its handler.
     *
     * @param call a request of the key and a version of the entry
     * @param entry the entry
     */
    @SuppressWarnings("unchecked") // The body was decoded as the request of the handler's key.
    public static void dispatch(Entry entry, Call<? extends ApiMessage> call) {
        ((ApiHandler<ApiMessage>) entry.handler()).handle((Call<ApiMessage>) call);
    }
}
