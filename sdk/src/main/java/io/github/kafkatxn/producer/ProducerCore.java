package io.github.kafkatxn.producer;

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
    final ClientCalls calls;
    final ListenerHub listeners;

    /** The thread that runs a user's send callback right now, if one does. */
    volatile @Nullable Thread callbackThread;

    /** The open transaction; the handle of any other is stale. */
    volatile @Nullable Transaction<K, V> current;

    /** Read on every send, changed a few times a transaction. */
    private volatile ProducerState state = ProducerState.NEW;

    ProducerCore(ProducerSettings settings, Producer<K, V> client, ListenerHub listeners) {
        this.settings = settings;
        this.client = client;
        this.listeners = listeners;
        this.calls = new ClientCalls(settings, listeners);
        this.offsets = client::sendOffsetsToTransaction;
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

    /** {@return the state before closing; CLOSED if somebody else has closed it} */
    synchronized ProducerState closed() {
        ProducerState before = state;
        state = ProducerState.CLOSED;
        return before;
    }

    boolean isCallbackThread() {
        return callbackThread == Thread.currentThread();
    }

    Deadline deadline() {
        return Deadline.in(settings.callTimeout());
    }

    TxnError classify(Operation operation, Throwable failure, Condition condition) {
        return ErrorClassifier.classify(operation, failure, condition);
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
