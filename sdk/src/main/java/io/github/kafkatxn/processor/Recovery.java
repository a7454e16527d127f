package io.github.kafkatxn.processor;

import io.github.kafkatxn.processor.Outcome.Failed;
import io.github.kafkatxn.processor.Outcome.Slowness;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows a batch that was not committed: end its transaction, blame a record if one is at fault, go back in the
 * input, and wait a moment. After it the lane can poll again, or has a reason to stop, or was asked to: it never goes
 * on from a position that is not known to be right.
 */
final class Recovery<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(Processor.class);

    private final LaneContext lane;
    private final LaneInput input;
    private final ProducerRing<K, V> producers;
    private final Patience patience;

    Recovery(LaneContext lane, LaneInput input, ProducerRing<K, V> producers, Patience patience) {
        this.lane = lane;
        this.input = input;
        this.producers = producers;
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
        Optional<TxnError> unusable = end(failed);
        StopReason stop = StopReasons.of(failed);
        if (stop != null) {
            return stop;
        }
        blame(failed);
        if (unusable.isPresent()) {
            stop = patience.countFencing(failed, unusable.get());
            if (stop == null) {
                // Not afterwards: a lane of the same name would take its ids back while this one waits.
                stop = patience.waitAfter(error);
            }
            if (stop == null) {
                stop = rebuild(error);
            }
            if (stop != null || lane.stop().isRequested()) {
                return stop;
            }
        }
        stop = input.goBack(failed, unusable.isPresent());
        return stop != null || unusable.isPresent() ? stop : patience.waitAfter(error);
    }

    /** {@return why the producer cannot go on; nothing if the transaction is over and it can} */
    private Optional<TxnError> end(Failed failed) {
        Transaction<?, ?> transaction = failed.transaction();
        Action action = failed.error().action();
        boolean cannot = action == Action.RETRY_CALL || action == Action.RECREATE || failed.splitting();
        if (transaction == null || cannot) {
            return Optional.of(failed.error());
        }
        Optional<TxnError> refused = transaction.abort().error();
        refused.ifPresent(e -> LOG.warn("{}: {}", lane.name(), e.message()));
        return refused;
    }

    private void blame(Failed failed) {
        if (failed.record() != null) {
            input.suspicion().blame(failed.record(), failed.error());
        } else if (failed.error().recordLevel() || failed.slowness() == Slowness.TRANSFORM) {
            input.suspicion().blame(failed.batch(), failed.error());
        } else if (failed.splitting()) {
            input.suspicion().watch(failed.batch());
        }
    }

    private @Nullable StopReason rebuild(TxnError why) {
        TxnError last = why;
        while (!lane.stop().isRequested()) {
            TxnError error = producers.rebuild();
            if (error == null) {
                lane.listeners().rebuilt(producers.current().settings().transactionalId(), why);
                return null;
            }
            last = error;
            LOG.warn("{}: producer could not be rebuilt. {}", lane.name(), error.message());
            StopReason stop = lane.stop().isRequested() ? null : patience.stopOrWait(error);
            if (stop != null) {
                return stop;
            }
        }
        LOG.info("{}: stopping while recovering from: {}", lane.name(), last.message());
        return null;
    }
}
