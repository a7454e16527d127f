package io.github.kafkatxn.processor;

import io.github.kafkatxn.processor.Outcome.Failed;
import io.github.kafkatxn.processor.ProcessorListener.Settlement;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows a batch that was not committed: end its transaction, blame a record if one is at fault, go back in the
 * input, and wait a moment. After it the lane can poll again, or has a reason to stop.
 */
final class Recovery<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(ExactlyOnceProcessor.class);

    private final LaneContext lane;
    private final InputTopics topics;
    private final InputConsumer input;
    private final ProducerRing<K, V> producers;
    private final Isolation isolation;
    private final Patience patience;

    Recovery(
            LaneContext lane,
            InputTopics topics,
            InputConsumer input,
            ProducerRing<K, V> producers,
            Isolation isolation,
            Patience patience) {
        this.lane = lane;
        this.topics = topics;
        this.input = input;
        this.producers = producers;
        this.isolation = isolation;
        this.patience = patience;
    }

    /** {@return why the lane has to stop, or null if it can go on} */
    @Nullable
    StopReason recover(Failed failed) {
        TxnError error = failed.error();
        LOG.warn(
                "{}: {} records not committed. {}",
                lane.name(),
                failed.batch().records().size(),
                error.message());
        boolean producerLives = isAborted(failed);
        StopReason stop = StopReasons.of(failed);
        if (stop != null) {
            return stop;
        }
        blame(failed);
        Map<TopicPartition, OffsetAndMetadata> positions = failed.batch().start();
        if (!producerLives) {
            stop = rebuild(failed);
            if (stop != null || lane.stop().isRequested()) {
                return stop;
            }
            positions = committedPositions(failed);
            if (positions == null) {
                return null;
            }
        }
        Map<TopicPartition, Long> moved = input.moveTo(positions);
        lane.listeners().rewind(error, moved);
        return patience.waitAfter(error);
    }

    /** {@return whether the transaction is over and its producer can go on} */
    private boolean isAborted(Failed failed) {
        Transaction<?, ?> transaction = failed.transaction();
        Action action = failed.error().action();
        if (transaction == null || action == Action.RETRY_CALL || action == Action.RECREATE) {
            return false;
        }
        TxnResult<TransactionStats> aborted = transaction.abort();
        aborted.error().ifPresent(e -> LOG.warn("{}: {}", lane.name(), e.message()));
        return aborted.isSuccess();
    }

    private void blame(Failed failed) {
        if (failed.record() != null) {
            isolation.blame(failed.record(), failed.error());
        } else if (failed.error().recordLevel()) {
            isolation.blame(failed.batch(), failed.error());
        } else if (failed.tooSlow() && failed.batch().records().size() > 1) {
            isolation.halve(failed.batch());
        }
    }

    private @Nullable StopReason rebuild(Failed failed) {
        StopReason fenced = patience.countFencing(failed);
        if (fenced != null) {
            return fenced;
        }
        TxnError last = failed.error();
        while (!lane.stop().isRequested()) {
            TxnError error = producers.rebuildCurrent();
            if (error == null) {
                lane.listeners().rebuilt(producers.current().settings().transactionalId(), failed.error());
                return null;
            }
            last = error;
            LOG.warn("{}: producer could not be rebuilt. {}", lane.name(), error.message());
            if (error.action() == Action.STOP) {
                return StopReasons.of(error);
            }
            StopReason gaveUp = patience.waitAfter(error);
            if (gaveUp != null) {
                return gaveUp;
            }
        }
        LOG.info("{}: stopping while recovering from: {}", lane.name(), last.message());
        return null;
    }

    /**
     * Where to go on from: after an end nobody saw, only the committed offsets know. Null if it is to stop meanwhile.
     */
    private @Nullable Map<TopicPartition, OffsetAndMetadata> committedPositions(Failed failed) {
        Batch batch = failed.batch();
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>(batch.start());
        input.retainAssigned(positions);
        while (!lane.stop().isRequested()) {
            try {
                Map<TopicPartition, OffsetAndMetadata> committed = input.committed(
                        positions.keySet(), lane.settings().producer().callTimeout());
                settle(failed, positions, committed);
                positions.putAll(committed);
                startOver(failed, positions);
                return positions;
            } catch (RetriableException e) {
                LOG.warn("{}: committed offsets not to be had yet: {}", lane.name(), e.getMessage());
                lane.stop().pause(patience.interval());
            }
        }
        return null;
    }

    /**
     * An offset of a topic that has been created again since names a record of the new topic, which nobody has seen.
     */
    private void startOver(Failed failed, Map<TopicPartition, OffsetAndMetadata> positions) {
        boolean offsetsUnanswered = failed.error().operation() == Operation.SEND_OFFSETS
                && failed.error().cause() instanceof TimeoutException;
        if (!offsetsUnanswered) {
            return;
        }
        Set<String> recreated = topics.recreated();
        if (recreated.isEmpty()) {
            return;
        }
        LOG.warn("{}: topics {} were deleted and created again; going on from their start", lane.name(), recreated);
        Set<TopicPartition> partitions = new HashSet<>(positions.keySet());
        partitions.removeIf(partition -> !recreated.contains(partition.topic()));
        positions.keySet().removeAll(partitions);
        input.startOver(partitions);
    }

    private void settle(
            Failed failed,
            Map<TopicPartition, OffsetAndMetadata> positions,
            Map<TopicPartition, OffsetAndMetadata> committed) {
        if (!failed.error().inDoubt() || positions.isEmpty()) {
            return;
        }
        boolean wasCommitted = positions.keySet().stream().allMatch(partition -> {
            OffsetAndMetadata next = failed.batch().next().get(partition);
            OffsetAndMetadata now = committed.get(partition);
            return next == null || (now != null && now.offset() >= next.offset());
        });
        LOG.warn("{}: the transaction in doubt was {}", lane.name(), wasCommitted ? "committed" : "not committed");
        lane.listeners().settled(wasCommitted ? Settlement.COMMITTED : Settlement.NOT_COMMITTED);
        if (wasCommitted) {
            isolation.committed(failed.batch());
            lane.listeners().committed(failed.batch());
        }
    }
}
