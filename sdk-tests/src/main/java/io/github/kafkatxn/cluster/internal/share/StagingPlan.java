package io.github.kafkatxn.cluster.internal.share;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * Acknowledgements that are about to be staged in a transaction: meanwhile nobody else may change their records. Either
 * {@link #stage} or {@link #drop} is called, once.
 */
public final class StagingPlan {
    private final SharePartition partition;
    private final Producer producer;
    private final Map<Long, StateBatch> changes;
    private final Errors error;
    /** The end of the transaction, if it came before the answer of the share coordinator. */
    private @Nullable Marker ended;

    StagingPlan(SharePartition partition, Producer producer, Map<Long, StateBatch> changes, Errors error) {
        this.partition = partition;
        this.producer = producer;
        this.changes = changes;
        this.error = error;
    }

    /** {@return NONE, or why they cannot be staged} */
    public Errors error() {
        return error;
    }

    /** {@return the share partition} */
    public SharePartitionKey key() {
        return partition.key();
    }

    /**
     * Stages them. The state partition belongs to the transaction.
     *
     * @param done told what came of it
     */
    public void stage(Consumer<Errors> done) {
        if (partition.isFenced()) {
            done.accept(Errors.NOT_LEADER_OR_FOLLOWER);
        } else {
            partition.stage(this, done);
        }
    }

    /** Does not stage them. */
    public void drop() {
        partition.drop(this);
    }

    Producer producer() {
        return producer;
    }

    Map<Long, StateBatch> changes() {
        return changes;
    }

    void end(Marker marker) {
        boolean ends = changes.values().stream()
                .map(StateBatch::staging)
                .anyMatch(staged -> staged != null && staged.isEndedBy(marker));
        ended = ends ? marker : ended;
    }

    Optional<Marker> ended() {
        return Optional.ofNullable(ended);
    }
}
