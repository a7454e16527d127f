package io.github.kafkatxn.cluster.internal.txn;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * Ends transactions: the decision goes into the log, then the markers to the partitions, then the completion into the
 * log. Belongs to the node's thread.
 */
final class TransactionEnds {
    private final EventLoop loop;
    private final Supplier<ClusterImage> image;
    private final TransactionStates states;
    private final ProducerIds producerIds;
    private final MarkerSender markers;
    private final TransactionSteps steps;
    private boolean closed;

    TransactionEnds(
            EventLoop loop,
            Supplier<ClusterImage> image,
            TransactionStates states,
            ProducerIds producerIds,
            MarkerSender markers,
            TransactionSteps steps) {
        this.loop = loop;
        this.image = image;
        this.states = states;
        this.producerIds = producerIds;
        this.markers = markers;
        this.steps = steps;
    }

    /** Nothing is sent or completed any more. */
    void close() {
        closed = true;
        markers.close();
    }

    /** {@return the id and epoch to go on with once the end is decided, or why it is not} */
    ProducerIdentity prepare(TransactionMetadata stored, boolean commit, byte version) {
        long next = RecordBatch.NO_PRODUCER_ID;
        if (version >= 2 && stored.isExhausted()) {
            OptionalLong fresh = producerIds.take();
            if (fresh.isEmpty()) {
                return ProducerIdentity.refused(Errors.COORDINATOR_LOAD_IN_PROGRESS);
            }
            next = fresh.getAsLong();
        }
        TransactionMetadata prepared = stored.prepared(commit, version, next, loop.millis());
        Errors written = states.write(prepared);
        if (written != Errors.NONE) {
            return ProducerIdentity.refused(written);
        }
        // After the answer: who asked is told that it is decided, not that it is done.
        loop.execute(() -> writeMarkers(prepared));
        TransactionMetadata completed = prepared.completed(loop.millis());
        return ProducerIdentity.of(completed.producerId(), completed.epoch());
    }

    /** Aborts a transaction that its producer does not end, so that the producer cannot go on with it. */
    void fence(TransactionMetadata stored) {
        byte version = (byte) image.get().transactionVersion();
        ProducerIdentity aborted = prepare(version >= 2 ? stored : stored.fenced(), false, version);
        if (aborted.error() != Errors.NONE && aborted.error() != Errors.COORDINATOR_LOAD_IN_PROGRESS) {
            throw new IllegalStateException("a transaction could not be aborted: " + stored + ", " + aborted.error());
        }
    }

    /** Sends the markers of a decided end, and completes it when every partition has its own. */
    void writeMarkers(TransactionMetadata prepared) {
        boolean commit = prepared.state() == TransactionState.PREPARE_COMMIT;
        String id = prepared.transactionalId();
        Optional<LedPartition> led = states.keptIn(id);
        if (led.isEmpty()) {
            return;
        }
        steps.beforeMarkers(
                id,
                commit,
                () -> markers.send(
                        prepared,
                        led.get().leaderEpoch(),
                        () -> isStill(led.get(), prepared),
                        partition -> states.hasMarker(id, partition),
                        () -> steps.beforeComplete(id, commit, () -> complete(led.get(), prepared))));
    }

    private void complete(LedPartition led, TransactionMetadata prepared) {
        if (isStill(led, prepared)) {
            states.write(prepared.completed(loop.millis()));
        }
    }

    private boolean isStill(LedPartition led, TransactionMetadata prepared) {
        String id = prepared.transactionalId();
        return !closed
                && states.keptIn(id).filter(kept -> kept == led).isPresent()
                && states.find(id).filter(prepared::isSameEnd).isPresent();
    }
}
