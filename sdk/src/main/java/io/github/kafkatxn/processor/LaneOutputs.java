package io.github.kafkatxn.processor;

import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** The outputs of the record that a lane is at. One object per lane, open while a transform runs. */
final class LaneOutputs<K, V> implements Outputs<K, V> {
    private final Thread lane = Thread.currentThread();
    private volatile @Nullable Transaction<K, V> open;
    private boolean refused;
    private volatile @Nullable IllegalStateException misuse;

    void open(Transaction<K, V> transaction) {
        open = transaction;
        refused = false;
        misuse = null;
    }

    void close() {
        open = null;
    }

    /**
     * {@return whether an output of the current record was refused at once: then it is this record that is at fault}
     */
    boolean refused() {
        return refused;
    }

    /** {@return a use on another thread while a transform ran: its record is not in the transaction} */
    @Nullable
    IllegalStateException misuse() {
        return misuse;
    }

    @Override
    public void send(ProducerRecord<K, V> record) {
        Transaction<K, V> transaction = open;
        if (Thread.currentThread() != lane) {
            IllegalStateException wrong = new IllegalStateException("Outputs was used by thread "
                    + Thread.currentThread().getName() + "; only the thread that runs the transform may use it");
            if (transaction != null) {
                misuse = wrong;
            }
            throw wrong;
        }
        if (transaction == null) {
            throw new IllegalStateException("Outputs was used after the transform it was given to had returned");
        }
        Future<RecordMetadata> sent = transaction.send(record);
        if (sent.isDone()) {
            TxnError error = transaction.failure().orElse(null);
            if (error != null) {
                refused = true;
                throw new TxnException(error);
            }
        }
    }
}
