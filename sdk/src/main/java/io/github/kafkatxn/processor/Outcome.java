package io.github.kafkatxn.processor;

import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.result.TxnError;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** How a batch went. */
sealed interface Outcome {

    /**
     * It is committed.
     *
     * @param batch what of it
     */
    record Committed(Batch batch) implements Outcome {}

    /**
     * It is not committed, or not known to be.
     *
     * @param batch what was tried
     * @param error why
     * @param transaction what is still open, or null if none was begun
     * @param record the one record that is at fault, or null if that is not known
     * @param tooSlow it took longer than a transaction may
     */
    record Failed(
            Batch batch,
            TxnError error,
            @Nullable Transaction<?, ?> transaction,
            @Nullable ConsumerRecord<byte[], byte[]> record,
            boolean tooSlow)
            implements Outcome {}

    /** The processor is to stop and the batch was given up; what is open is to be aborted. */
    record Interrupted(Batch batch, Transaction<?, ?> transaction) implements Outcome {}
}
