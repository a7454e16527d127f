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
    /** The innermost callback that a thread runs: the owner's and the I/O thread may each run one of one producer. */
    private static final ThreadLocal<@Nullable GuardedCallback<?, ?>> RUNNING = new ThreadLocal<>();

    private final ProducerCore<K, V> core;
    private final Transaction<K, V> transaction;
    private final Callback user;

    /** What ran on the thread when this one was called, for instance because it sent this one's record. */
    private @Nullable GuardedCallback<?, ?> outer;

    GuardedCallback(ProducerCore<K, V> core, Transaction<K, V> transaction, Callback user) {
        this.core = core;
        this.transaction = transaction;
        this.user = user;
    }

    /** {@return whether this thread runs a callback of a producer right now} */
    static boolean runsFor(ProducerCore<?, ?> core) {
        for (GuardedCallback<?, ?> frame = RUNNING.get(); frame != null; frame = frame.outer) {
            if (frame.core == core) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void onCompletion(RecordMetadata metadata, @Nullable Exception exception) {
        transaction.observe(exception);
        outer = RUNNING.get();
        RUNNING.set(this);
        try {
            user.onCompletion(metadata, exception);
        } catch (RuntimeException | Error e) {
            transaction.fail(
                    core.failure(Operation.SEND, new KafkaException("the send callback threw", e), Condition.USABLE));
        } finally {
            RUNNING.set(outer);
        }
    }
}
