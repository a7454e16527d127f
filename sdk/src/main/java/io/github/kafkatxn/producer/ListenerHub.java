package io.github.kafkatxn.producer;

import io.github.kafkatxn.producer.TransactionListener.OffsetsPath;
import io.github.kafkatxn.producer.TransactionListener.Outcome;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listeners of one producer; what they throw does not reach the transaction. */
final class ListenerHub {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionListener.class);

    private final String transactionalId;
    private final List<TransactionListener> listeners;

    ListenerHub(String transactionalId, List<TransactionListener> listeners) {
        this.transactionalId = transactionalId;
        this.listeners = listeners;
    }

    void begin() {
        tell(listener -> listener.onBegin(transactionalId));
    }

    void end(Outcome outcome, TransactionStats stats, @Nullable TxnError error) {
        tell(listener -> listener.onEnd(transactionalId, outcome, stats, Optional.ofNullable(error)));
    }

    void inDoubt(TxnError error) {
        tell(listener -> listener.onInDoubt(transactionalId, error));
    }

    void retry(Operation operation, Throwable cause) {
        tell(listener -> listener.onRetry(transactionalId, operation, cause));
    }

    void offsets(OffsetsPath path) {
        tell(listener -> listener.onOffsets(transactionalId, path));
    }

    void shareAcknowledgements(int records) {
        tell(listener -> listener.onShareAcknowledgements(transactionalId, records));
    }

    private void tell(Consumer<TransactionListener> event) {
        for (TransactionListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException | Error e) {
                LOG.warn("{}: listener {} failed, going on", transactionalId, listener, e);
            }
        }
    }
}
