package io.github.kafkatxn.producer;

import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.internal.wire.MissingCapabilityException;
import io.github.kafkatxn.internal.wire.RefusedPartitionsException;
import io.github.kafkatxn.producer.TransactionListener.OffsetsPath;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import io.github.kafkatxn.share.ShareAcknowledgements;
import io.github.kafkatxn.share.ShareGroupMetadata;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/** What one transaction has read: makes input offsets and share acknowledgements part of it. On the owner thread. */
final class TransactionInputs<K, V> {
    private final ProducerCore<K, V> core;
    private final Transaction<K, V> transaction;
    private final TransactionEnd<K, V> end;
    private Map<TopicPartition, OffsetAndMetadata> sentOffsets = Map.of();
    private @Nullable OffsetsPath offsetsPath;

    TransactionInputs(ProducerCore<K, V> core, Transaction<K, V> transaction, TransactionEnd<K, V> end) {
        this.core = core;
        this.transaction = transaction;
        this.end = end;
    }

    TxnResult<Map<TopicPartition, OffsetAndMetadata>> offsets(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group, Map<String, Uuid> topicIds) {
        Map<TopicPartition, OffsetAndMetadata> copy;
        Map<String, Uuid> ids;
        try {
            copy = Map.copyOf(offsets);
            ids = Map.copyOf(topicIds);
        } catch (NullPointerException e) {
            return poisoned(Operation.SEND_OFFSETS, e);
        }
        if (copy.isEmpty()) {
            return TxnResult.success(copy);
        }
        Deadline deadline = core.deadline();
        TxnError poisoned = transaction.flush(deadline);
        if (poisoned != null) {
            return TxnResult.failure(poisoned);
        }
        RuntimeException refusedBy =
                failure(Operation.SEND_OFFSETS, () -> offsetsPath = core.offsets.send(copy, group, ids, deadline));
        if (refusedBy != null) {
            end.offsetsFailed(refusedBy);
            TxnError error = error(Operation.SEND_OFFSETS, refusedBy);
            return TxnResult.failure(transaction.fail(namingTopics(error, copy.keySet())));
        }
        sentOffsets = copy;
        offsetsPath().ifPresent(core.listeners::offsets);
        return TxnResult.success(copy);
    }

    TxnResult<ShareAcknowledgements> acknowledgements(
            ShareAcknowledgements acknowledgements, ShareGroupMetadata member) {
        try {
            Objects.requireNonNull(acknowledgements, "acknowledgements");
            Objects.requireNonNull(member, "member");
        } catch (NullPointerException e) {
            return poisoned(Operation.SEND_SHARE_ACKNOWLEDGEMENTS, e);
        }
        if (acknowledgements.isEmpty()) {
            return TxnResult.success(acknowledgements);
        }
        Deadline deadline = core.deadline();
        TxnError poisoned = transaction.flush(deadline);
        if (poisoned != null) {
            return TxnResult.failure(poisoned);
        }
        RuntimeException refusedBy = failure(
                Operation.SEND_SHARE_ACKNOWLEDGEMENTS,
                () -> core.shareAcknowledgements.send(acknowledgements, member, deadline));
        if (refusedBy instanceof MissingCapabilityException) {
            // Nothing has been sent: the transaction is what it was.
            return TxnResult.failure(error(Operation.SEND_SHARE_ACKNOWLEDGEMENTS, refusedBy));
        }
        if (refusedBy != null) {
            return poisoned(Operation.SEND_SHARE_ACKNOWLEDGEMENTS, refusedBy);
        }
        core.listeners.shareAcknowledgements(acknowledgements.records());
        return TxnResult.success(acknowledgements);
    }

    Optional<OffsetsPath> offsetsPath() {
        return Optional.ofNullable(offsetsPath);
    }

    /** {@return for how many partitions the last offsets were} */
    int partitions() {
        return sentOffsets.size();
    }

    /** An error, as out of memory, is thrown; it leaves a transaction that can only be aborted, too. */
    private @Nullable RuntimeException failure(Operation operation, Runnable call) {
        try {
            call.run();
            return null;
        } catch (RuntimeException e) {
            return e;
        } catch (Error e) {
            transaction.fail(core.failure(operation, e, Condition.USABLE));
            throw e;
        }
    }

    private <T> TxnResult<T> poisoned(Operation operation, RuntimeException refusedBy) {
        return TxnResult.failure(transaction.fail(error(operation, refusedBy)));
    }

    private TxnError error(Operation operation, RuntimeException refusedBy) {
        return refusedBy instanceof RefusedPartitionsException refused
                ? core.failure(operation, refused.decisive(), Condition.USABLE).withPartitions(refused.partitions())
                : core.failure(operation, refusedBy, Condition.USABLE);
    }

    /** The client says that a topic was refused, and not which one. */
    private static TxnError namingTopics(TxnError error, Set<TopicPartition> partitions) {
        if (!error.partitions().isEmpty() || !(error.cause() instanceof TopicAuthorizationException)) {
            return error;
        }
        Set<String> topics =
                partitions.stream().map(TopicPartition::topic).collect(Collectors.toCollection(TreeSet::new));
        return error.withDetail("The offsets are of the topics " + topics + ".");
    }
}
