package io.github.kafkatxn.processor;

import io.github.kafkatxn.processor.Outcome.Failed;
import io.github.kafkatxn.processor.Outcome.Slowness;
import io.github.kafkatxn.processor.ProcessorListener.Settlement;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What follows a batch that was not committed: end its transaction, blame a record if one is at fault, go back in the
 * input, and wait a moment. After it the lane can poll again, or has a reason to stop, or was asked to: it never goes
 * on from a position that is not known to be right.
 */
final class Recovery<K, V> {
    private static final Logger LOG = LoggerFactory.getLogger(ExactlyOnceProcessor.class);

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
        Map<TopicPartition, OffsetAndMetadata> positions = failed.batch().start();
        if (unusable.isPresent()) {
            stop = patience.countFencing(failed, unusable.get());
            if (stop == null) {
                // Not afterwards: a lane of the same name would take its ids back while this one waits.
                stop = patience.waitAfter(error);
            }
            if (stop == null) {
                stop = rebuild(error);
            }
            if (stop == null) {
                positions = new HashMap<>(positions);
                stop = askCommitted(failed, positions);
            }
            if (stop != null || lane.stop().isRequested()) {
                return stop;
            }
        }
        if (mayBeRecreated(error)) {
            input.watch().compare(input.offsets(failed.batch()).keySet());
        }
        lane.listeners().rewind(error, input.goBackTo(positions));
        return unusable.isPresent() ? null : patience.waitAfter(error);
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
            input.isolation().blame(failed.record(), failed.error());
        } else if (failed.error().recordLevel() || failed.slowness() == Slowness.TRANSFORM) {
            input.isolation().blame(failed.batch(), failed.error());
        } else if (failed.splitting()) {
            input.isolation().watch(failed.batch());
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
            StopReason stop = lane.stop().isRequested() ? null : giveUp(error);
            if (stop != null) {
                return stop;
            }
        }
        LOG.info("{}: stopping while recovering from: {}", lane.name(), last.message());
        return null;
    }

    /**
     * After an end nobody saw, only the committed offsets know where to go on from. Asks for them until it is told, is
     * to stop, or has a reason to.
     */
    private @Nullable StopReason askCommitted(Failed failed, Map<TopicPartition, OffsetAndMetadata> positions) {
        Set<TopicPartition> partitions = new HashSet<>(positions.keySet());
        partitions.addAll(failed.batch().next().keySet());
        while (!lane.stop().isRequested()) {
            partitions.retainAll(input.consumer().assignment());
            try {
                Map<TopicPartition, OffsetAndMetadata> committed = input.consumer()
                        .committed(partitions, lane.settings().producer().callTimeout());
                settle(failed, partitions, committed);
                positions.replaceAll((partition, start) -> committed.getOrDefault(partition, start));
                return null;
            } catch (WakeupException e) {
                LOG.debug("{}: woken up", lane.name());
            } catch (InterruptException e) {
                lane.stop().request();
            } catch (KafkaException e) {
                TxnError error = ErrorClassifier.classify(Operation.POLL, e, Condition.USABLE);
                LOG.warn("{}: committed offsets not to be had yet: {}", lane.name(), error.message());
                StopReason stop = giveUp(error);
                if (stop != null) {
                    return stop;
                }
            }
        }
        return null;
    }

    private @Nullable StopReason giveUp(TxnError error) {
        return error.action() == Action.STOP ? StopReasons.of(error) : patience.waitAfter(error);
    }

    /** Offsets were committed with their transaction or not at all, so that one partition tells of all. */
    private void settle(
            Failed failed, Set<TopicPartition> partitions, Map<TopicPartition, OffsetAndMetadata> committed) {
        Map<TopicPartition, OffsetAndMetadata> next = failed.batch().next();
        Set<TopicPartition> decisive = new HashSet<>(partitions);
        decisive.retainAll(next.keySet());
        if (!failed.error().inDoubt() || decisive.isEmpty()) {
            return;
        }
        boolean wasCommitted = decisive.stream().anyMatch(partition -> {
            OffsetAndMetadata now = committed.get(partition);
            OffsetAndMetadata sent = next.get(partition);
            return now != null && sent != null && now.offset() >= sent.offset();
        });
        LOG.warn("{}: the transaction in doubt was {}", lane.name(), wasCommitted ? "committed" : "not committed");
        lane.listeners().settled(wasCommitted ? Settlement.COMMITTED : Settlement.NOT_COMMITTED);
        if (wasCommitted) {
            input.isolation().committed(failed.batch());
            patience.committed();
            lane.listeners().committed(failed.batch());
        }
    }

    /** What the producer says of a topic that is another one now, or when it knows the topic no more. */
    private static boolean mayBeRecreated(TxnError error) {
        return error.operation() == Operation.SEND_OFFSETS
                && (error.cause() instanceof TimeoutException || error.cause() instanceof UnknownTopicIdException);
    }
}
