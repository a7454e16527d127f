package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.node.EventLoop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What ends waits of a classic group: for its members' joins and syncs, and for members that were only given an id. */
final class ClassicTimers {
    private final Map<String, EventLoop.Timer> pendingMembers = new HashMap<>();
    private EventLoop.@Nullable Timer join;
    private EventLoop.@Nullable Timer sync;

    /** The wait for joins ends with this one, or is over. */
    void join(EventLoop.@Nullable Timer timer) {
        if (join != null) {
            join.cancel();
        }
        join = timer;
    }

    /** The wait for syncs ends with this one, or is over. */
    void sync(EventLoop.@Nullable Timer timer) {
        if (sync != null) {
            sync.cancel();
        }
        sync = timer;
    }

    /** An id was handed out and has not come back yet. */
    void addPending(String memberId, EventLoop.Timer timer) {
        pendingMembers.put(memberId, timer);
    }

    void removePending(String memberId) {
        EventLoop.Timer timer = pendingMembers.remove(memberId);
        if (timer != null) {
            timer.cancel();
        }
    }

    boolean isPending(String memberId) {
        return pendingMembers.containsKey(memberId);
    }

    boolean nobodyIsPending() {
        return pendingMembers.isEmpty();
    }

    void cancel() {
        join(null);
        sync(null);
        List.copyOf(pendingMembers.keySet()).forEach(this::removePending);
    }
}
