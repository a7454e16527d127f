package io.github.kafkatxn.cluster.internal.log;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** A partition that a node leads, from the moment it has its log until it gives it up. Belongs to the node's thread. */
public final class LedPartition {
    private final List<Runnable> watchers = new ArrayList<>();
    private final TopicIdPartition id;
    private final int leaderEpoch;
    private final PartitionLog log;
    private final LongSupplier clock;
    private long lastExpiry;

    /**
     * A partition led from now on.
     *
     * @param id which
     * @param leaderEpoch under which leader epoch
     * @param log its log
     * @param clock the cluster's time in milliseconds since the epoch
     */
    public LedPartition(TopicIdPartition id, int leaderEpoch, PartitionLog log, LongSupplier clock) {
        this.id = id;
        this.leaderEpoch = leaderEpoch;
        this.log = log;
        this.clock = clock;
        this.lastExpiry = clock.getAsLong();
        log.lead(leaderEpoch);
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

    /** {@return the offset up to which everything is decided: committed records are read up to here, exclusively} */
    public long lastStableOffset() {
        return log.lastStableOffset();
    }

    /**
     * Appends records that the node makes itself, for an internal topic: the epoch of a producer is checked, sequences
     * are not.
     *
     * @param records one or more batches
     * @return where they are
     */
    public Appended append(MemoryRecords records) {
        return told(log.append(records, leaderEpoch));
    }

    /**
     * Appends a transactional batch that the node makes itself for a producer, for an internal topic.
     *
     * @param records one batch
     * @param guard of the verification that was done for it
     * @return where it is; INVALID_TXN_STATE if the producer has no open transaction here and the guard is not good any
     *     more
     */
    public Appended append(MemoryRecords records, VerificationGuard guard) {
        return told(log.append(records, guard, leaderEpoch));
    }

    /**
     * Appends what a client sent.
     *
     * @param records one batch; its bytes are copied and stay as they are: offset, leader epoch and timestamps are set
     *     in the copy
     * @param rules what its topic asks
     * @param guard of the verification that was done for it, else {@link VerificationGuard#NONE}
     * @return where it is: where it was before, if it was sent again
     */
    public Appended append(MemoryRecords records, AppendRules rules, VerificationGuard guard) {
        return told(log.append(records, rules, guard, leaderEpoch, clock.getAsLong()));
    }

    /**
     * Appends the marker that ends a transaction.
     *
     * @param marker the marker
     * @return where it is, also if it came again and ended nothing; INVALID_PRODUCER_EPOCH or
     *     TRANSACTION_COORDINATOR_FENCED if it is refused
     */
    public Appended appendMarker(TransactionMarker marker) {
        return told(log.append(marker, leaderEpoch, clock.getAsLong()));
    }

    /**
     * What to do before a transactional batch is appended. If its coordinator has to be asked, then from now on: a
     * marker or a batch that comes while it is asked makes the guard useless.
     *
     * @param producerId the producer
     * @param producerEpoch its epoch
     * @param firstSequence of the batch, -1 if it has none
     * @param epochBump whether the request belongs to transaction version 2
     * @return what to do
     */
    public Verification startVerification(long producerId, short producerEpoch, int firstSequence, boolean epochBump) {
        return log.startVerification(producerId, producerEpoch, firstSequence, epochBump);
    }

    /**
     * The log begins later from now on.
     *
     * @param offset the first offset that can be read, from the start to the end of the log
     */
    public void deleteBefore(long offset) {
        log.deleteBefore(offset);
        changed();
    }

    /**
     * Forgets producers that have no open transaction and have written nothing for long, now and then.
     *
     * @param idleMs how long
     * @param everyMs how much time passes between two looks
     */
    public void expireProducers(long idleMs, long everyMs) {
        long now = clock.getAsLong();
        if (now - lastExpiry >= everyMs) {
            lastExpiry = now;
            log.expireProducers(now - idleMs);
        }
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

    private Appended told(Appended appended) {
        if (appended.error() == Errors.NONE) {
            changed();
        }
        return appended;
    }

    void changed() {
        List.copyOf(watchers).forEach(Runnable::run);
    }
}
