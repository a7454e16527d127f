package io.github.kafkatxn.producer;

import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * A user's callback. The failure of the record is noted first, since a callback that throws would keep the client from
 * noting it; what the callback throws fails the transaction too.
 */
final class GuardedCallback<K, V> implements Callback {
    private final ProducerCore<K, V> core;
    private final Transaction<K, V> transaction;
    private final Callback user;

    GuardedCallback(ProducerCore<K, V> core, Transaction<K, V> transaction, Callback user) {
        this.core = core;
        this.transaction = transaction;
        this.user = user;
    }

    @Override
    public void onCompletion(RecordMetadata metadata, @Nullable Exception exception) {
        transaction.observe(exception);
        Thread outer = core.callbackThread;
        core.callbackThread = Thread.currentThread();
        try {
            user.onCompletion(metadata, exception);
        } catch (RuntimeException | Error e) {
            transaction.fail(
                    core.classify(Operation.SEND, new KafkaException("the send callback threw", e), Condition.USABLE));
        } finally {
            core.callbackThread = outer;
        }
    }
}
