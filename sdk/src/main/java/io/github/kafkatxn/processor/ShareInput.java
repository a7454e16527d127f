package io.github.kafkatxn.processor;

import io.github.kafkatxn.processor.Outcome.Failed;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.share.ShareAcknowledgements;
import io.github.kafkatxn.share.TransactionalShareConsumer;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InvalidRecordStateException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The input of a lane of a share group: its acknowledgements are part of the transaction (KIP-1289), or follow it.
 *
 * <p>What is polled is held until it is done, or is known or likely to be somebody else's. After an abort it is tried
 * again under the same locks: to release it would cost it a delivery for each abort, until the broker gives it to
 * nobody any more. After a commit in doubt it is not: it may be done already, and then nothing must be made of it
 * again.
 */
final class ShareInput implements LaneInput {
    private static final Logger LOG = LoggerFactory.getLogger(ShareProcessor.class);

    /** Of the time of a lock, how much passes before it is renewed. */
    private static final int PART_OF_LOCK = 3;

    /** What says that records are not this member's any more. */
    private static final Set<Class<?>> LOST = Set.of(
            InvalidRecordStateException.class,
            UnknownMemberIdException.class,
            GroupIdNotFoundException.class,
            UnknownTopicIdException.class,
            UnknownTopicOrPartitionException.class);

    private final LaneContext lane;
    private final InputTopics topics;
    private final ShareTerms terms;
    private final HeldRecords held;
    private final ShareIsolation isolation;
    private final int most;

    /** What is in the open transaction, or in one that was not committed. */
    private @Nullable ShareAcknowledgements drained;

    ShareInput(LaneContext lane, InputTopics topics, ShareTerms terms) {
        ProcessorSettings settings = lane.settings();
        this.lane = lane;
        this.topics = topics;
        this.terms = terms;
        this.most = settings.maxRecordsPerTransaction();
        this.isolation = new ShareIsolation(
                settings.maxAttempts(),
                settings.maxDeliveries(),
                settings.deadLetterTopic().isPresent());
        this.held = new HeldRecords(lane);
    }

    @Override
    public @Nullable TxnError check() {
        TxnError error = topics.check();
        if (error == null) {
            error = terms.check();
        }
        // Whether the client lets acknowledgements be taken is known without a group.
        return error == null && guarantee() == Guarantee.EXACTLY_ONCE
                ? held.consumer().shareGroupMetadata().error().orElse(null)
                : error;
    }

    @Override
    public Guarantee guarantee() {
        return terms.guarantee().orElseThrow();
    }

    @Override
    public String groupId() {
        return lane.settings().groupId();
    }

    @Override
    public @Nullable Batch next(Duration timeout) {
        if (held.isEmpty()) {
            held.poll(timeout);
        } else if (held.areDue(System.nanoTime(), PART_OF_LOCK)) {
            renew();
        }
        return held.isEmpty() ? null : isolation.next(held.records(), most);
    }

    @Override
    public long polledSince() {
        return held.polledSince();
    }

    @Override
    public @Nullable TxnError keep(Batch batch, long now) {
        if (!held.areDue(now, PART_OF_LOCK) || lane.stop().isRequested()) {
            return null;
        }
        renew();
        Map<TopicPartition, Throwable> lost = new HashMap<>();
        InvalidRecordStateException why =
                new InvalidRecordStateException("the locks of the batch ran out while it was transformed:"
                        + " share.record.lock.duration.ms of the group must be longer than the transform of a record");
        for (ConsumerRecord<byte[], byte[]> record : batch.records()) {
            if (!held.has(RecordId.of(record))) {
                lost.put(Batch.partitionOf(record), why);
            }
        }
        return lost.isEmpty() ? null : refusal(why).withPartitions(lost);
    }

    @Override
    public Suspicion suspicion() {
        return isolation;
    }

    @Override
    public @Nullable TxnError join(Batch batch, Transaction<?, ?> transaction) {
        if (guarantee() == Guarantee.AT_LEAST_ONCE) {
            return null;
        }
        held.acknowledge(batch.records(), typeOf(batch));
        TransactionalShareConsumer<byte[], byte[]> consumer = held.consumer();
        TxnError refused = consumer.acknowledgementsForTransaction()
                .fold(
                        acknowledgements -> {
                            drained = acknowledgements;
                            return consumer.shareGroupMetadata()
                                    .fold(
                                            member -> transaction
                                                    .sendShareAcknowledgementsToTransaction(acknowledgements, member)
                                                    .error(),
                                            Optional::of);
                        },
                        Optional::of)
                .orElse(null);
        if (refused == null
                && held.size() == batch.records().size()
                && !lane.stop().isRequested()) {
            // Meanwhile the transaction is committed.
            held.fetchAhead();
        }
        return refused;
    }

    @Override
    public void committed(Batch batch) {
        drained = null;
        if (guarantee() == Guarantee.AT_LEAST_ONCE) {
            held.acknowledge(batch.records(), typeOf(batch));
            TxnError refused = held.send();
            if (refused != null) {
                possibleDuplicates(batch, refused);
            }
        }
        forget(batch.records());
    }

    @Override
    public @Nullable StopReason goBack(Failed failed, boolean rebuilt) {
        takeBack();
        held.triedAgain();
        if (failed.error().inDoubt()) {
            giveUp(failed.batch().records());
            if (guarantee() == Guarantee.AT_LEAST_ONCE) {
                possibleDuplicates(failed.batch(), failed.error());
            }
        } else {
            giveUp(lost(failed));
        }
        Map<TopicPartition, Long> first = new HashMap<>();
        held.records().forEach(record -> first.merge(Batch.partitionOf(record), record.offset(), Math::min));
        lane.listeners().rewind(failed.error(), first);
        return null;
    }

    @Override
    public void wakeup() {
        held.wakeup();
    }

    @Override
    public void close(Duration timeout) {
        takeBack();
        held.consumer().close(timeout);
    }

    /** Closing releases what the consumer has. */
    private void takeBack() {
        ShareAcknowledgements acknowledgements = drained;
        drained = null;
        if (acknowledgements != null) {
            held.consumer().takeBack(acknowledgements);
        }
    }

    private void renew() {
        Collection<RecordId> lost = held.renew();
        lost.forEach(isolation::forget);
    }

    /** Others may have them; to release what is not this member's any more does no harm. */
    private void giveUp(List<ConsumerRecord<byte[], byte[]>> some) {
        List<ConsumerRecord<byte[], byte[]>> records =
                some.stream().filter(record -> held.has(RecordId.of(record))).toList();
        if (records.isEmpty()) {
            return;
        }
        held.acknowledge(records, AcknowledgeType.RELEASE);
        TxnError refused = held.send();
        LOG.info(
                "{}: {} records given up{}",
                lane.name(),
                records.size(),
                refused == null ? "" : ", their locks have to run out: " + refused.message());
        forget(records);
    }

    private void forget(Collection<ConsumerRecord<byte[], byte[]>> records) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            RecordId id = RecordId.of(record);
            held.remove(id);
            isolation.forget(id);
        }
    }

    /** {@return the records of a failed batch that are not this member's any more: a partition's are so together} */
    private static List<ConsumerRecord<byte[], byte[]>> lost(Failed failed) {
        TxnError error = failed.error();
        if (error.partitions().isEmpty()) {
            return LOST.contains(error.cause().getClass()) ? failed.batch().records() : List.of();
        }
        return failed.batch().records().stream()
                .filter(record -> {
                    Throwable why = error.partitions().get(Batch.partitionOf(record));
                    return why != null && LOST.contains(why.getClass());
                })
                .toList();
    }

    private void possibleDuplicates(Batch batch, TxnError why) {
        LOG.warn(
                "{}: {} records may be delivered again, though their outputs are committed. {}",
                lane.name(),
                batch.records().size(),
                why.message());
        lane.listeners().possibleDuplicates(batch.records().size(), why);
    }

    private static AcknowledgeType typeOf(Batch batch) {
        return batch.deadLetter() == null ? AcknowledgeType.ACCEPT : AcknowledgeType.REJECT;
    }

    static TxnError refusal(RuntimeException why) {
        return ErrorClassifier.classify(Operation.SEND_SHARE_ACKNOWLEDGEMENTS, why, Condition.USABLE);
    }
}
