package io.github.kafkatxn.processor;

import io.github.kafkatxn.processor.Outcome.Failed;
import io.github.kafkatxn.processor.ProcessorListener.Settlement;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionListener.OffsetsPath;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The input of a lane of a consumer group: its offsets are part of the transaction. After anything but a commit every
 * partition goes back to its first record that is not committed.
 */
final class GroupInput implements LaneInput {
    private static final Logger LOG = LoggerFactory.getLogger(ExactlyOnceProcessor.class);

    private final LaneContext lane;
    private final InputTopics topics;
    private final Patience patience;
    private final GroupPositions positions;

    GroupInput(LaneContext lane, InputTopics topics, Patience patience) {
        this.lane = lane;
        this.topics = topics;
        this.patience = patience;
        this.positions = new GroupPositions(lane, topics);
    }

    @Override
    public @Nullable TxnError check() {
        return topics.check();
    }

    @Override
    public Guarantee guarantee() {
        return Guarantee.EXACTLY_ONCE;
    }

    @Override
    public String groupId() {
        return positions.consumer().groupMetadata().groupId();
    }

    @Override
    public @Nullable Batch next(Duration timeout) {
        return positions.next(timeout);
    }

    @Override
    public long polledSince() {
        return positions.consumer().polledSince();
    }

    /** A member keeps its partitions by polling in time, and by nothing else. */
    @Override
    public @Nullable TxnError keep(Batch batch, long now) {
        return null;
    }

    @Override
    public Suspicion suspicion() {
        return positions.isolation();
    }

    @Override
    public @Nullable TxnError join(Batch batch, Transaction<?, ?> transaction) {
        Map<TopicPartition, OffsetAndMetadata> offsets = positions.offsets(batch);
        ConsumerGroupMetadata group = positions.consumer().groupMetadata();
        if (!positions.consumer().stillOwns(group, offsets.keySet())) {
            return refusal(
                    new RebalanceInProgressException("this member lost partitions of the batch before its offsets"
                            + " were sent; it took longer than max.poll.interval.ms, or the group moved them"));
        }
        TxnError refused = transaction
                .sendOffsetsToTransaction(offsets, group, positions.watch().ids(offsets.keySet()))
                .error()
                .orElse(null);
        boolean idsCompared =
                transaction.offsetsPath().filter(OffsetsPath.TOPIC_IDS::equals).isPresent();
        if (refused != null || idsCompared) {
            return refused;
        }
        return switch (positions.watch().compare(offsets.keySet())) {
            case SAME -> null;
            case CHANGED ->
                refusal(new UnknownTopicIdException(
                        "an input topic of the batch has another id than when it was polled"));
            case NONE ->
                refusal(new TimeoutException(
                        "whether the input topics of the batch are still the same ones was not answered"));
        };
    }

    @Override
    public void committed(Batch batch) {
        positions.committed(batch);
    }

    @Override
    public @Nullable StopReason goBack(Failed failed, boolean rebuilt) {
        Map<TopicPartition, OffsetAndMetadata> start = failed.batch().start();
        if (rebuilt) {
            start = new HashMap<>(start);
            StopReason stop = askCommitted(failed, start);
            if (stop != null || lane.stop().isRequested()) {
                return stop;
            }
        }
        if (mayBeRecreated(failed.error())) {
            positions.watch().isAnotherOne(positions.offsets(failed.batch()).keySet());
        }
        lane.listeners().rewind(failed.error(), positions.goBackTo(start));
        return null;
    }

    @Override
    public void wakeup() {
        positions.consumer().wakeup();
    }

    @Override
    public void close(Duration timeout) {
        positions.consumer().close(timeout);
    }

    private static TxnError refusal(ApiException why) {
        return ErrorClassifier.classify(Operation.SEND_OFFSETS, why, Condition.USABLE);
    }

    /**
     * After an end nobody saw, only the committed offsets know where to go on from. Asks for them until it is told, is
     * to stop, or has a reason to.
     */
    private @Nullable StopReason askCommitted(Failed failed, Map<TopicPartition, OffsetAndMetadata> found) {
        Set<TopicPartition> partitions = new HashSet<>(found.keySet());
        partitions.addAll(failed.batch().next().keySet());
        while (!lane.stop().isRequested()) {
            partitions.retainAll(positions.consumer().assignment());
            try {
                Map<TopicPartition, OffsetAndMetadata> committed = positions
                        .consumer()
                        .committed(partitions, lane.settings().producer().callTimeout());
                settle(failed, partitions, committed);
                found.replaceAll((partition, start) -> later(start, committed.get(partition)));
                return null;
            } catch (WakeupException e) {
                LOG.debug("{}: woken up", lane.name());
            } catch (InterruptException e) {
                lane.stop().request();
            } catch (KafkaException e) {
                TxnError error = ErrorClassifier.classify(Operation.POLL, e, Condition.USABLE);
                LOG.warn("{}: committed offsets not to be had yet: {}", lane.name(), error.message());
                StopReason stop = patience.stopOrWait(error);
                if (stop != null) {
                    return stop;
                }
            }
        }
        return null;
    }

    /**
     * {@return where a partition goes on from} Nothing before the start of a batch is still to be processed. What is
     * committed may lie before it and not be in the log any more: a consumer that goes there is reset once more, past
     * records that have come since.
     */
    static OffsetAndMetadata later(OffsetAndMetadata start, @Nullable OffsetAndMetadata committed) {
        return committed != null && committed.offset() > start.offset() ? committed : start;
    }

    /**
     * Offsets were committed with their transaction or not at all, so that one partition tells of all. If partitions
     * were somebody else's meanwhile, what is committed for them is that one's, and tells nothing.
     */
    private void settle(
            Failed failed, Set<TopicPartition> partitions, Map<TopicPartition, OffsetAndMetadata> committed) {
        Map<TopicPartition, OffsetAndMetadata> next = failed.batch().next();
        Set<TopicPartition> decisive = new HashSet<>(partitions);
        decisive.retainAll(next.keySet());
        if (!failed.doubted() || decisive.isEmpty()) {
            return;
        }
        boolean wasCommitted = false;
        boolean ours = positions.consumer().stillOwns(positions.consumer().groupMetadata(), decisive);
        for (TopicPartition partition : decisive) {
            OffsetAndMetadata now = committed.get(partition);
            OffsetAndMetadata sent = next.get(partition);
            if (now != null && sent != null) {
                wasCommitted |= now.offset() == sent.offset();
                ours &= now.offset() <= sent.offset();
            }
        }
        if (!ours) {
            LOG.warn(
                    "{}: others have gone on; whether the transaction in doubt was committed is not told", lane.name());
            return;
        }
        LOG.warn("{}: the transaction in doubt was {}", lane.name(), wasCommitted ? "committed" : "not committed");
        lane.listeners().settled(wasCommitted ? Settlement.COMMITTED : Settlement.NOT_COMMITTED);
        if (wasCommitted) {
            positions.isolation().committed(failed.batch());
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
