package io.github.kafkatxn.producer;

import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** What a producer and its open transaction share: the client, the state, and how calls are made and failures read. */
final class ProducerCore<K, V> {
    final ProducerSettings settings;
    final Producer<K, V> client;
    final OffsetsSender offsets;
    final ShareAcknowledgementsSender shareAcknowledgements;
    final ClientCalls calls;
    final ListenerHub listeners;

    /** The open transaction; the handle of any other is stale. */
    private volatile @Nullable Transaction<K, V> current;

    /** Read on every send, changed a few times a transaction. */
    private volatile ProducerState state = ProducerState.NEW;

    /**
     * The owner tells the listeners of a begin, or waits for the answer to a commit or an abort: they are not to hear
     * of the end from another thread meanwhile. No lock is held while they are told.
     */
    private boolean ownerTells;

    ProducerCore(ProducerSettings settings, Producer<K, V> client, ListenerHub listeners) {
        this.settings = settings;
        this.client = client;
        this.listeners = listeners;
        this.calls = new ClientCalls(settings, listeners);
        this.offsets = OwnOffsets.of(settings, client, calls, listeners);
        this.shareAcknowledgements = new ShareAcknowledgementsSender(settings, client, listeners);
    }

    ProducerState state() {
        return state;
    }

    /**
     * Moves on, if that is a legal move: another thread may have closed the producer meanwhile.
     *
     * @return whether it was
     */
    synchronized boolean moveTo(ProducerState next) {
        boolean legal = state.mayBecome(next);
        if (legal) {
            state = next;
        }
        return legal;
    }

    boolean isCurrent(Transaction<K, V> transaction) {
        return current == transaction;
    }

    /**
     * Begins at the client too, which does not block: a close sees either no transaction, or one that it can abort.
     * What has begun is to be told next, and then {@link #told} called.
     *
     * @return whether the transaction is open now; not if another thread has closed the producer meanwhile
     */
    synchronized boolean begin(Transaction<K, V> transaction) {
        boolean begun = state.mayBecome(ProducerState.IN_TRANSACTION);
        if (begun) {
            client.beginTransaction();
            moveTo(ProducerState.IN_TRANSACTION);
            current = transaction;
            ownerTells = true;
        }
        return begun;
    }

    /**
     * Notes that the owner is about to ask for the end of the transaction, or asks again.
     *
     * @return false if another thread has closed the producer: then nothing may be asked for any more
     */
    synchronized boolean ask(ProducerState pending) {
        ownerTells = state == pending || moveTo(pending);
        return ownerTells;
    }

    /** {@return whether another thread has closed the producer while the owner told of the begin or waited} */
    synchronized boolean told() {
        ownerTells = false;
        return state == ProducerState.CLOSED;
    }

    /** {@return true once: whoever gets it tells the listeners how the transaction ended} */
    synchronized boolean release(Transaction<K, V> transaction) {
        boolean open = current == transaction;
        if (open) {
            current = null;
            ownerTells = false;
        }
        return open;
    }

    /** {@return the transaction that is left open after a close, unless its owner tells how it ended} */
    synchronized @Nullable Transaction<K, V> leftOpen() {
        return ownerTells ? null : current;
    }

    /** {@return the state before closing; CLOSED if somebody else has closed it} */
    synchronized ProducerState closed() {
        ProducerState before = state;
        state = ProducerState.CLOSED;
        return before;
    }

    boolean isCallbackThread() {
        return GuardedCallback.runsFor(this);
    }

    Deadline deadline() {
        return Deadline.in(settings.callTimeout());
    }

    /** Reads a failure. After a close by another thread it comes from that, whatever it looks like. */
    TxnError failure(Operation operation, Throwable failure, Condition condition) {
        return state == ProducerState.CLOSED
                ? Refusals.closedMeanwhile(operation, failure, false)
                : ErrorClassifier.classify(operation, BareFailures.typed(failure), condition);
    }

    /** A failure that says nothing by itself: only an abort tells whether the producer can go on. */
    static boolean saysNothing(Throwable failure) {
        return failure.getClass() == KafkaException.class;
    }

    /** How long to try an abort that has little chance, before the producer is given up. */
    Duration shortAbort() {
        Duration limit = Duration.ofSeconds(3);
        return limit.compareTo(settings.callTimeout()) < 0 ? limit : settings.callTimeout();
    }
}
