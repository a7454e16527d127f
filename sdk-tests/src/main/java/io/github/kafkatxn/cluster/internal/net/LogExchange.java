package io.github.kafkatxn.cluster.internal.net;

import io.github.kafkatxn.cluster.internal.log.PartitionLog;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicIdPartition;
import org.jspecify.annotations.Nullable;

/**
 * Where logs change hands: the old leader leaves one here, the new one takes it. That is why a log needs no lock, and
 * why it outlives its leader. Safe for use by several threads.
 */
final class LogExchange {
    private final Map<TopicIdPartition, PartitionLog> free = new HashMap<>();
    private final Map<TopicIdPartition, Deque<Consumer<PartitionLog>>> waiting = new HashMap<>();
    private final Set<TopicIdPartition> made = new HashSet<>();

    /** Its leader has given a log up. Whoever waits for it gets it at once. */
    void put(TopicIdPartition id, PartitionLog log) {
        Consumer<PartitionLog> taker;
        synchronized (this) {
            Deque<Consumer<PartitionLog>> queue = waiting.get(id);
            taker = queue == null ? null : queue.poll();
            if (taker == null && made.contains(id)) {
                free.put(id, log);
            }
        }
        if (taker != null) {
            taker.accept(log);
        }
    }

    /** Takes a log: a new one for a new partition, else now or when its leader gives it up; told on either's thread. */
    void take(TopicIdPartition id, Consumer<PartitionLog> taker) {
        PartitionLog log = makeOrTake(id, taker);
        if (log != null) {
            taker.accept(log);
        }
    }

    /** Who waited for a log does not want it any more. */
    synchronized void cancel(TopicIdPartition id, Consumer<PartitionLog> taker) {
        Deque<Consumer<PartitionLog>> queue = waiting.get(id);
        if (queue != null) {
            queue.remove(taker);
        }
    }

    /** The topic is gone. */
    synchronized void drop(TopicIdPartition id) {
        made.remove(id);
        free.remove(id);
        waiting.remove(id);
    }

    private synchronized @Nullable PartitionLog makeOrTake(TopicIdPartition id, Consumer<PartitionLog> taker) {
        if (made.add(id)) {
            return new PartitionLog();
        }
        PartitionLog log = free.remove(id);
        if (log == null) {
            waiting.computeIfAbsent(id, key -> new ArrayDeque<>()).add(taker);
        }
        return log;
    }
}
