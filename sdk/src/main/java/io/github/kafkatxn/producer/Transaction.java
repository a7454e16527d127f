package io.github.kafkatxn.producer;

import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.producer.TransactionListener.OffsetsPath;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnException;
import io.github.kafkatxn.result.TxnResult;
import io.github.kafkatxn.share.ShareAcknowledgements;
import io.github.kafkatxn.share.ShareGroupMetadata;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One open transaction of a {@link TransactionalProducer}.
 *
 * <p>Belongs to the thread that began it. Once it has ended it is dead for whoever still holds it. A call from another
 * thread, from a send callback, or through a dead handle is refused at once and changes nothing.
 *
 * <p><strong>Every failure between begin and commit poisons the transaction</strong>, whichever layer it comes from:
 * serializer, partitioner, broker, callback, offsets. {@link #commit()} then returns that failure instead of committing
 * a part of the batch, and {@link #abort()} is what is left. What an interceptor throws is logged by the client and
 * goes no further: the record is sent as it was before that interceptor. One that returns null fails the transaction.
 *
 * @param <K> key type
 * @param <V> value type
 */
public final class Transaction<K, V> {
    private final ProducerCore<K, V> core;
    private final Thread owner = Thread.currentThread();
    private final long startNanos = System.nanoTime();
    private final AtomicReference<@Nullable TxnError> failure = new AtomicReference<>();
    private final Callback observer = (metadata, exception) -> observe(exception);
    private final TransactionEnd<K, V> end;
    private final TransactionInputs<K, V> inputs;

    private long records;
    private boolean flushed = true;

    Transaction(ProducerCore<K, V> core) {
        this.core = core;
        this.end = new TransactionEnd<>(core, this);
        this.inputs = new TransactionInputs<>(core, this, end);
    }

    /**
     * Sends a record in this transaction, without a callback.
     *
     * @param record the record
     * @return as for {@link #send(ProducerRecord, Callback)}
     */
    public Future<RecordMetadata> send(ProducerRecord<K, V> record) {
        return send(record, observer);
    }

    /**
     * Sends a record in this transaction. Returns once the record is in the client's buffer; waits at most
     * {@code max.block.ms} for metadata and for room.
     *
     * <p>Never throws. A record that cannot be sent poisons the transaction; sending it again in the same transaction
     * could write it twice and is refused.
     *
     * @param record the record
     * @param callback called once, on the client's I/O thread, or on this thread if the record is refused at once. It
     *     must not block. What it throws fails the transaction; calls on the producer or the transaction are refused
     * @return completes with the record's place, or fails with what the client failed with; with a {@link TxnException}
     *     if it was refused before it reached the client
     */
    public Future<RecordMetadata> send(ProducerRecord<K, V> record, Callback callback) {
        TxnError refused = sendRefusal();
        if (refused != null) {
            return CompletableFuture.failedFuture(new TxnException(refused));
        }
        flushed = false;
        records++;
        try {
            return core.client.send(
                    record, callback == observer ? observer : new GuardedCallback<>(core, this, callback));
        } catch (RuntimeException | Error e) {
            TxnError error = fail(core.failure(Operation.SEND, e, Condition.USABLE));
            if (e instanceof Error fatal) {
                throw fatal;
            }
            return CompletableFuture.failedFuture(new TxnException(error));
        }
    }

    /**
     * Makes input offsets part of this transaction: they are committed if and only if it is. Flushes first, so that
     * what was sent before has arrived. Blocks for the delivery of what was sent and the answer of the group
     * coordinator, at most the {@linkplain ProducerSettings#callTimeout() call timeout}.
     *
     * <p>A topic that was deleted and created again since this producer last sent offsets of it is refused: the cause
     * is an {@code UnknownTopicIdException} whose message begins with "topic recreated". Abort then, but <strong>do not
     * do the same batch again</strong>: its positions are those of the old topic, so read the new one from its start.
     * This is said once; from then on the producer takes the topic for the new one, and would commit the old positions
     * for it. Nothing is compared when the producer sends offsets of a topic for the first time, or for the first time
     * after {@code metadata.max.idle.ms}: whoever knows the ids of what was read passes them, and is always told.
     *
     * @param offsets per input partition the offset of the next record to process, with leader epoch. Empty means there
     *     is nothing to do
     * @param group {@code consumer.groupMetadata()}, read right before this call on the thread that polls
     * @return the offsets that are now part of the transaction; any failure poisons it
     */
    public TxnResult<Map<TopicPartition, OffsetAndMetadata>> sendOffsetsToTransaction(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        return sendOffsetsToTransaction(offsets, group, Map.of());
    }

    /**
     * As {@link #sendOffsetsToTransaction(Map, ConsumerGroupMetadata)}, for one who knows the ids of the topics that
     * the records were read from: where a topic was deleted and created again since, its offsets are refused, also if
     * they are the first ones of this producer (KIP-1319).
     *
     * @param offsets per input partition the offset of the next record to process, with leader epoch
     * @param group {@code consumer.groupMetadata()}, read right before this call on the thread that polls
     * @param topicIds the ids of topics, by their names; a topic that is not among them, or has {@link Uuid#ZERO_UUID},
     *     is taken as the one that this producer knows. Not compared if {@code KafkaProducer} sends the offsets, which
     *     {@link #offsetsPath()} tells, or if the cluster has no id for the topic
     * @return the offsets that are now part of the transaction; any failure poisons it
     */
    public TxnResult<Map<TopicPartition, OffsetAndMetadata>> sendOffsetsToTransaction(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group, Map<String, Uuid> topicIds) {
        TxnError refused = refusal(Operation.SEND_OFFSETS);
        return refused != null ? TxnResult.failure(refused) : inputs.offsets(offsets, group, topicIds);
    }

    /**
     * Makes acknowledgements of a share consumer part of this transaction: they count if and only if it is committed
     * (KIP-1289). May be called several times, also for other members and groups. Flushes first, so that what was sent
     * before has arrived. Blocks for the delivery of what was sent and the answers of the leaders of the share
     * partitions, at most the {@linkplain ProducerSettings#callTimeout() call timeout}; a new connection also for as
     * long as the name of the leader's host takes to resolve, and a login that asks somebody (Kerberos, a callback
     * handler of your own) to answer, which nothing can end.
     *
     * @param acknowledgements {@code consumer.acknowledgementsForTransaction()}. Empty means there is nothing to do
     * @param member {@code consumer.shareGroupMetadata()}, read right before this call on the thread that polls
     * @return the acknowledgements that are now part of the transaction. A failure poisons it, and names the partitions
     *     that refused: {@code InvalidRecordStateException} means that the lock of a record there had run out, and that
     *     somebody else may have it. Only a cluster that cannot do this (API key 95, {@code share.version} 3,
     *     {@code transaction.version} 2), which is {@link TxnResult.InvalidConfiguration} and names what is missing,
     *     leaves the transaction as it was: nothing has been sent
     */
    public TxnResult<ShareAcknowledgements> sendShareAcknowledgementsToTransaction(
            ShareAcknowledgements acknowledgements, ShareGroupMetadata member) {
        TxnError refused = refusal(Operation.SEND_SHARE_ACKNOWLEDGEMENTS);
        return refused != null ? TxnResult.failure(refused) : inputs.acknowledgements(acknowledgements, member);
    }

    /** {@return how the last offsets went into this transaction; empty if none have} */
    public Optional<OffsetsPath> offsetsPath() {
        return inputs.offsetsPath();
    }

    /**
     * Commits. Flushes, and goes on only if nothing has failed since begin. Blocks for the delivery of what was sent
     * and the coordinator's answer, at most the {@linkplain ProducerSettings#callTimeout() call timeout}. An interrupt
     * does not end it: the flag is set again on return.
     *
     * @return success once the commit is decided. A failure with {@code RETRY_CALL} and {@code inDoubt} means that the
     *     answer has not come in time: the transaction may be committed, and only this call, or a new producer with the
     *     same transactional id, tells. Every other failure is what poisoned the transaction, or what the coordinator
     *     has refused the commit with
     */
    public TxnResult<TransactionStats> commit() {
        TxnError refused = refusal(Operation.COMMIT);
        return refused != null ? TxnResult.failure(refused) : end.commit(core.deadline());
    }

    /**
     * Aborts: nothing of this transaction becomes visible, and the producer can begin the next one. Blocks for the
     * coordinator's answer, at most the {@linkplain ProducerSettings#callTimeout() call timeout}. Aborting again after
     * a commit that had to abort by itself is a success.
     *
     * @return success once aborted. {@code RETRY_CALL} if no answer came in time, twice; any other failure means that
     *     the producer is finished, and that a new one ends the transaction. Never {@link TxnResult.Abortable}
     */
    public TxnResult<TransactionStats> abort() {
        TxnError refused = end.abortedByCommit() ? null : refusal(Operation.ABORT);
        return refused != null ? TxnResult.failure(refused) : end.abort(core.deadline());
    }

    /** {@return what has poisoned this transaction, if anything has; safe to call from any thread} */
    public Optional<TxnError> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** {@return the transactional id of the producer} */
    public String transactionalId() {
        return core.settings.transactionalId();
    }

    /** Records a failure; the first one counts. */
    TxnError fail(TxnError error) {
        TxnError first = failure.compareAndExchange(null, error);
        return first == null ? error : first;
    }

    void observe(@Nullable Exception exception) {
        if (exception != null && failure.get() == null) {
            fail(core.failure(Operation.SEND, exception, Condition.USABLE));
        }
    }

    /** Waits until everything sent so far is delivered or has failed. */
    @Nullable
    TxnError flush(Deadline deadline) {
        if (!flushed && failure.get() == null) {
            RuntimeException late = core.calls.once(Operation.SEND, deadline, core.client::flush);
            if (late != null) {
                String what = late instanceof TimeoutException
                        ? "records were not delivered within "
                                + deadline.limit().toMillis() + " ms"
                        : "flush failed";
                return fail(core.failure(Operation.SEND, new TimeoutException(what, late), Condition.USABLE));
            }
            flushed = true;
        }
        return failure.get();
    }

    TransactionStats stats() {
        return new TransactionStats(records, inputs.partitions(), Duration.ofNanos(System.nanoTime() - startNanos));
    }

    private @Nullable TxnError sendRefusal() {
        if (Thread.currentThread() == owner
                && core.isCurrent(this)
                && core.state() == ProducerState.IN_TRANSACTION
                && failure.get() == null) {
            return null;
        }
        TxnError refused = refusal(Operation.SEND);
        if (refused != null) {
            return refused;
        }
        TxnError poisoned = failure.get();
        return poisoned != null ? poisoned : Refusals.wrongState(Operation.SEND, core.state());
    }

    private @Nullable TxnError refusal(Operation operation) {
        if (core.isCallbackThread()) {
            return Refusals.fromCallback(operation);
        }
        if (Thread.currentThread() != owner) {
            return Refusals.otherThread(operation, owner);
        }
        if (!core.isCurrent(this)) {
            ProducerState state = core.state();
            boolean finished = state == ProducerState.DEAD || state == ProducerState.CLOSED;
            return finished ? Refusals.wrongState(operation, state) : Refusals.ended(operation);
        }
        return end.refusal(operation);
    }
}
