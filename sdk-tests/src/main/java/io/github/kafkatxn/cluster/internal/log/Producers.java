package io.github.kafkatxn.cluster.internal.log;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTxnStateException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.TransactionCoordinatorFencedException;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;

/** The producers of a partition, and what they may append: epochs, sequences, open transactions. */
final class Producers {
    private static final ProducerState UNKNOWN = new ProducerState();

    private final Map<Long, ProducerState> states = new TreeMap<>();
    private final Map<Long, Pending> verifications = new HashMap<>();

    /** A verification with the coordinator that is under way, or done but not used. */
    private static final class Pending {
        private final VerificationGuard guard = new VerificationGuard();
        private final boolean epochBump;
        private short epoch;
        private int lowestSequence;

        Pending(boolean epochBump, short epoch, int firstSequence) {
            this.epochBump = epochBump;
            this.epoch = epoch;
            this.lowestSequence = firstSequence;
        }

        void saw(short batchEpoch, int firstSequence) {
            if (batchEpoch > epoch || (batchEpoch == epoch && firstSequence < lowestSequence)) {
                epoch = batchEpoch;
                lowestSequence = firstSequence;
            }
        }
    }

    Optional<ProducerState.Written> duplicateOf(RecordBatch batch) {
        return state(batch.producerId()).duplicateOf(batch);
    }

    Verification startVerification(long producerId, short epoch, int firstSequence, boolean epochBump) {
        ProducerState state = state(producerId);
        if (epoch < state.epoch()) {
            return Verification.refused(Errors.INVALID_PRODUCER_EPOCH, older(producerId, epoch, state));
        }
        if (state.inTransaction(epoch)) {
            return Verification.notNeeded();
        }
        Pending pending = verifications.computeIfAbsent(producerId, id -> new Pending(epochBump, epoch, firstSequence));
        pending.saw(epoch, firstSequence);
        return Verification.needed(pending.guard);
    }

    /** The first transactional batch of a transaction has been verified. */
    void requireVerified(RecordBatch batch, VerificationGuard guard) {
        ProducerState state = state(batch.producerId());
        if (state.inTransaction(batch.producerEpoch())) {
            return;
        }
        requireEpoch(batch, state);
        Pending pending = verifications.get(batch.producerId());
        if (pending == null || pending.guard != guard) {
            throw new InvalidTxnStateException("the batch of producer " + batch.producerId()
                    + " belongs to no open transaction, and none was verified");
        }
    }

    /** A batch may follow what the producer wrote before; sequences count only for what a client sends. */
    void requireInOrder(RecordBatch batch, boolean fromClient) {
        ProducerState state = state(batch.producerId());
        requireEpoch(batch, state);
        if (fromClient) {
            requireSequence(batch, state);
        }
        if (!batch.isTransactional() && state.inTransaction()) {
            throw new InvalidTxnStateException("producer " + batch.producerId()
                    + " has an open transaction here: its batches have to be transactional");
        }
    }

    /** Whether a marker may be appended now. */
    void requireInOrder(TransactionMarker marker) {
        ProducerState state = state(marker.producerId());
        boolean strict = marker.transactionVersion() >= 2;
        boolean repeated = marker.producerEpoch() == state.epoch()
                && (!state.inTransaction() || marker.producerEpoch() == Short.MAX_VALUE);
        if (marker.producerEpoch() < state.epoch()
                || (strict && marker.producerEpoch() == state.epoch() && !repeated)) {
            throw new InvalidProducerEpochException("a marker of producer " + marker.producerId() + " with epoch "
                    + marker.producerEpoch() + " (transaction version " + marker.transactionVersion()
                    + "), but epoch " + state.epoch() + " was seen");
        }
        if (marker.coordinatorEpoch() < state.coordinatorEpoch()) {
            throw new TransactionCoordinatorFencedException("a marker of coordinator epoch " + marker.coordinatorEpoch()
                    + ", but " + state.coordinatorEpoch() + " was seen");
        }
    }

    /** A batch is in the log. */
    void written(RecordBatch batch) {
        states.computeIfAbsent(batch.producerId(), id -> new ProducerState()).written(batch);
        if (batch.isTransactional()) {
            verifications.remove(batch.producerId());
        }
    }

    /** A marker is in the log. */
    void ended(TransactionMarker marker, long timestamp) {
        states.computeIfAbsent(marker.producerId(), id -> new ProducerState()).ended(marker, timestamp);
        Pending pending = verifications.get(marker.producerId());
        boolean nextHasStarted = pending != null && pending.epochBump && pending.epoch == marker.producerEpoch();
        if (!nextHasStarted) {
            verifications.remove(marker.producerId());
        }
    }

    /** Where the open transaction of a producer began, or {@link ProducerState#NO_TRANSACTION}. */
    long transactionStart(long producerId) {
        return state(producerId).transactionStart();
    }

    /** Forgets who has written nothing for long; not while a transaction is open. */
    void expire(long timestamp) {
        states.values().removeIf(state -> !state.inTransaction() && state.lastTimestamp() <= timestamp);
    }

    /** Another leader starts without the verifications of the one before. */
    void forgetVerifications() {
        verifications.clear();
    }

    List<ActiveProducer> active() {
        List<ActiveProducer> active = new ArrayList<>();
        states.forEach((id, state) -> active.add(new ActiveProducer(
                id,
                state.epoch(),
                state.lastSequence(),
                state.lastTimestamp(),
                state.coordinatorEpoch(),
                state.transactionStart())));
        return active;
    }

    private ProducerState state(long producerId) {
        return states.getOrDefault(producerId, UNKNOWN);
    }

    private void requireSequence(RecordBatch batch, ProducerState state) {
        int first = batch.baseSequence();
        Pending pending = verifications.get(batch.producerId());
        if (pending != null && pending.epochBump && first != 0 && state.hasNoBatches()) {
            throw outOfOrder(batch, "0, because nothing of it is known here");
        }
        if (pending != null && first > pending.lowestSequence) {
            throw outOfOrder(batch, pending.lowestSequence + ", which came before");
        }
        if (state.epoch() == RecordBatch.NO_PRODUCER_EPOCH) {
            return;
        }
        if (batch.producerEpoch() != state.epoch()) {
            if (first != 0) {
                throw outOfOrder(batch, "0, because its epoch " + batch.producerEpoch() + " is new");
            }
            return;
        }
        int expected = state.lastSequence() == Integer.MAX_VALUE ? 0 : state.lastSequence() + 1;
        if (first != expected) {
            throw outOfOrder(batch, Integer.toString(expected));
        }
    }

    private static void requireEpoch(RecordBatch batch, ProducerState state) {
        if (batch.producerEpoch() < state.epoch()) {
            throw new InvalidProducerEpochException(older(batch.producerId(), batch.producerEpoch(), state));
        }
    }

    private static String older(long producerId, short epoch, ProducerState state) {
        return "epoch " + epoch + " of producer " + producerId + ", but epoch " + state.epoch() + " was seen";
    }

    private static OutOfOrderSequenceException outOfOrder(RecordBatch batch, String expected) {
        return new OutOfOrderSequenceException("first sequence " + batch.baseSequence() + " of producer "
                + batch.producerId() + ", expected was " + expected);
    }
}
