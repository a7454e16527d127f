package io.github.kafkatxn.processor;

import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.result.TxnError;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** How a batch went. */
sealed interface Outcome {

    /** Where the time went, of a transaction that has failed. */
    enum Slowness {
        /** It was shorter than a transaction may be, and than the group waits for a poll. */
        NONE,
        /** It was longer, mostly because the cluster took its time. */
        WAITED,
        /** It was longer because of the transform: the batch, or its one record, takes too long. */
        TRANSFORM
    }

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
     * @param doubted whether its commit was not answered in time, whatever was answered later
     * @param slowness whether it took too long
     * @param splitting records were not delivered while the client split a batch that the broker refuses as too large:
     *     it may go on with that for ever, and an abort does not get through
     */
    record Failed(
            Batch batch,
            TxnError error,
            @Nullable Transaction<?, ?> transaction,
            @Nullable ConsumerRecord<byte[], byte[]> record,
            boolean doubted,
            Slowness slowness,
            boolean splitting)
            implements Outcome {

        Failed whileSplitting() {
            return new Failed(batch, error, transaction, record, doubted, slowness, true);
        }
    }

    /** The processor is to stop and the batch was given up; what is open is to be aborted. */
    record Interrupted(Batch batch, Transaction<?, ?> transaction) implements Outcome {}
}
