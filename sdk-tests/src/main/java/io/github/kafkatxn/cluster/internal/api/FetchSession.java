package io.github.kafkatxn.cluster.internal.api;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The partitions a client fetches again and again without naming them each time (KIP-227). */
final class FetchSession {
    private final Map<FetchTarget.Key, FetchTarget> targets = new LinkedHashMap<>();
    private final int id;
    private final boolean usesTopicIds;
    private int epoch = 1;
    private long lastUsed;

    FetchSession(int id, boolean usesTopicIds, long now) {
        this.id = id;
        this.usesTopicIds = usesTopicIds;
        this.lastUsed = now;
    }

    int id() {
        return id;
    }

    boolean usesTopicIds() {
        return usesTopicIds;
    }

    /** The epoch of the next request. */
    int epoch() {
        return epoch;
    }

    long lastUsed() {
        return lastUsed;
    }

    boolean isEmpty() {
        return targets.isEmpty();
    }

    /** A request belongs to it: {@link #epoch()} is that of the next one. */
    void use(long now) {
        lastUsed = now;
        epoch = next(epoch);
    }

    static int next(int epoch) {
        return epoch == Integer.MAX_VALUE ? 1 : epoch + 1;
    }

    void add(FetchTarget target) {
        targets.put(target.key(), target);
    }

    void update(Collection<FetchTarget> asked, Collection<FetchTarget.Key> forgotten) {
        for (FetchTarget target : asked) {
            FetchTarget known = targets.putIfAbsent(target.key(), target);
            if (known != null) {
                known.ask(target.asked());
            }
        }
        targets.keySet().removeAll(forgotten);
    }

    /** All partitions, in the order in which they are read. */
    List<FetchTarget> targets() {
        return List.copyOf(targets.values());
    }

    /** A partition that has given something is read last the next time, so that none starves. */
    void moveToEnd(FetchTarget target) {
        if (targets.remove(target.key(), target)) {
            targets.put(target.key(), target);
        }
    }
}
