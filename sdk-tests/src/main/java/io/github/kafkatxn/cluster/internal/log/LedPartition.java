package io.github.kafkatxn.cluster.internal.log;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** A partition that a node leads, from the moment it has its log until it gives it up. Belongs to the node's thread. */
public final class LedPartition {
    private final TopicIdPartition id;
    private final int leaderEpoch;
    private final PartitionLog log;
    private final List<Runnable> watchers = new ArrayList<>();

    /**
     * A partition led from now on.
     *
     * @param id which
     * @param leaderEpoch under which leader epoch
     * @param log its log
     */
    public LedPartition(TopicIdPartition id, int leaderEpoch, PartitionLog log) {
        this.id = id;
        this.leaderEpoch = leaderEpoch;
        this.log = log;
    }

    /** {@return which partition} */
    public TopicIdPartition id() {
        return id;
    }

    /** {@return the leader epoch it is led under} */
    public int leaderEpoch() {
        return leaderEpoch;
    }

    /** {@return its log, to be read; to be written through here, so that who waits is told} */
    public PartitionLog log() {
        return log;
    }

    /**
     * Appends records that the node makes itself, for an internal topic.
     *
     * @param records one or more batches
     * @return where they are
     */
    public Appended append(MemoryRecords records) {
        Appended appended = log.append(records, leaderEpoch);
        changed();
        return appended;
    }

    /**
     * Wants to know of everything that is appended, and of the partition being given up.
     *
     * @param watcher told after it has happened; may stop watching meanwhile
     */
    public void watch(Runnable watcher) {
        watchers.add(watcher);
    }

    /**
     * Does not want to know any more.
     *
     * @param watcher who watched
     */
    public void unwatch(Runnable watcher) {
        watchers.remove(watcher);
    }

    void changed() {
        List.copyOf(watchers).forEach(Runnable::run);
    }
}
