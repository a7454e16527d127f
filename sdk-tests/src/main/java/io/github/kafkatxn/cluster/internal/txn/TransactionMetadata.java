package io.github.kafkatxn.cluster.internal.txn;

import java.util.HashSet;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * What a coordinator knows of a transactional id. Immutable: a change makes another one, which is written to the log
 * before it counts.
 *
 * @param transactionalId the id
 * @param producerId the producer id that it has now
 * @param previousProducerId the one before the last change, whatever it was: another one than now only if the epoch
 *     overflowed in it; -1 if there was no change
 * @param nextProducerId the one that it has from COMPLETE on, when the epoch overflows, or -1
 * @param epoch the producer epoch
 * @param lastEpoch the epoch before the last bump that its client asked for, or -1
 * @param timeoutMs after so long an open transaction is aborted
 * @param state where it stands
 * @param partitions of the open transaction, or those that still wait for their marker
 * @param startMs when the open transaction began, or -1
 * @param updatedMs the last change
 * @param clientVersion the transaction version of the last request that began or ended a transaction
 */
public record TransactionMetadata(
        String transactionalId,
        long producerId,
        long previousProducerId,
        long nextProducerId,
        short epoch,
        short lastEpoch,
        int timeoutMs,
        TransactionState state,
        Set<TopicPartition> partitions,
        long startMs,
        long updatedMs,
        byte clientVersion) {

    /** From this epoch on the next one belongs to another producer id. */
    static final short EXHAUSTED_EPOCH = Short.MAX_VALUE - 1;

    /** Takes a copy of the partitions. */
    public TransactionMetadata {
        partitions = Set.copyOf(partitions);
    }

    /** {@return an id that nobody has used before} */
    static TransactionMetadata unused(String transactionalId, long producerId, int timeoutMs, long now) {
        return new TransactionMetadata(
                transactionalId,
                producerId,
                RecordBatch.NO_PRODUCER_ID,
                RecordBatch.NO_PRODUCER_ID,
                RecordBatch.NO_PRODUCER_EPOCH,
                RecordBatch.NO_PRODUCER_EPOCH,
                timeoutMs,
                TransactionState.EMPTY,
                Set.of(),
                -1,
                now,
                (byte) 0);
    }

    boolean isExhausted() {
        return epoch >= EXHAUSTED_EPOCH;
    }

    /** {@return the same for a producer that has been initialised} */
    TransactionMetadata initialised(short newEpoch, short oldEpoch, int newTimeoutMs, long now) {
        return new TransactionMetadata(
                transactionalId,
                producerId,
                producerId,
                RecordBatch.NO_PRODUCER_ID,
                newEpoch,
                oldEpoch,
                newTimeoutMs,
                TransactionState.EMPTY,
                Set.of(),
                -1,
                now,
                clientVersion);
    }

    /** {@return the same with another producer id, whose epochs begin at 0} */
    TransactionMetadata rotated(long newProducerId, short oldEpoch, int newTimeoutMs, long now) {
        return new TransactionMetadata(
                transactionalId,
                newProducerId,
                producerId,
                RecordBatch.NO_PRODUCER_ID,
                (short) 0,
                oldEpoch,
                newTimeoutMs,
                TransactionState.EMPTY,
                Set.of(),
                -1,
                now,
                clientVersion);
    }

    /** {@return the same with more partitions, open} */
    TransactionMetadata adding(Set<TopicPartition> all, byte version, long now) {
        return new TransactionMetadata(
                transactionalId,
                producerId,
                producerId,
                nextProducerId,
                epoch,
                lastEpoch,
                timeoutMs,
                TransactionState.ONGOING,
                all,
                state == TransactionState.ONGOING ? startMs : now,
                now,
                version);
    }

    /** {@return the same with its producer locked out, as transaction versions before 2 do it} */
    TransactionMetadata fenced() {
        short bumped = epoch == Short.MAX_VALUE ? epoch : (short) (epoch + 1);
        return new TransactionMetadata(
                transactionalId,
                producerId,
                producerId,
                nextProducerId,
                bumped,
                RecordBatch.NO_PRODUCER_EPOCH,
                timeoutMs,
                state,
                partitions,
                startMs,
                updatedMs,
                clientVersion);
    }

    /**
     * The same with its end decided.
     *
     * @param commit how it ends
     * @param version 2 bumps the epoch now
     * @param next the producer id to go on with if the epoch is exhausted, else -1
     */
    TransactionMetadata prepared(boolean commit, byte version, long next, long now) {
        boolean bump = version >= 2;
        return new TransactionMetadata(
                transactionalId,
                producerId,
                producerId,
                next,
                bump && epoch < Short.MAX_VALUE ? (short) (epoch + 1) : epoch,
                bump ? epoch : lastEpoch,
                timeoutMs,
                commit ? TransactionState.PREPARE_COMMIT : TransactionState.PREPARE_ABORT,
                partitions,
                state == TransactionState.ONGOING ? startMs : now,
                now,
                version);
    }

    /** {@return the same with a partition that does not wait for its marker any more} */
    TransactionMetadata without(TopicPartition partition) {
        Set<TopicPartition> rest = new HashSet<>(partitions);
        rest.remove(partition);
        return new TransactionMetadata(
                transactionalId,
                producerId,
                previousProducerId,
                nextProducerId,
                epoch,
                lastEpoch,
                timeoutMs,
                state,
                rest,
                startMs,
                updatedMs,
                clientVersion);
    }

    /** {@return whether the other one is the same decision, however many markers it has left to write} */
    boolean isSameEnd(TransactionMetadata other) {
        return producerId == other.producerId
                && epoch == other.epoch
                && state == other.state
                && updatedMs == other.updatedMs;
    }

    /** {@return the same with all markers written} */
    TransactionMetadata completed(long now) {
        boolean overflown = nextProducerId != RecordBatch.NO_PRODUCER_ID;
        return new TransactionMetadata(
                transactionalId,
                overflown ? nextProducerId : producerId,
                producerId,
                RecordBatch.NO_PRODUCER_ID,
                overflown ? (short) 0 : epoch,
                lastEpoch,
                timeoutMs,
                state == TransactionState.PREPARE_COMMIT
                        ? TransactionState.COMPLETE_COMMIT
                        : TransactionState.COMPLETE_ABORT,
                Set.of(),
                startMs,
                now,
                clientVersion);
    }
}
