package io.github.kafkatxn.processor;

import io.github.kafkatxn.result.TxnError;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Finds the records that make the batches of a lane fail, and counts how often they were tried. */
abstract class Suspicion {

    /** What is tried next of one failed batch; compared by identity. */
    static final class Search {
        private final int limit;
        private final boolean careful;

        private Search(int limit, boolean careful) {
            this.limit = limit;
            this.careful = careful;
        }

        /** {@return how many records are tried next, at most} */
        int limit() {
            return limit;
        }

        /** {@return the batch, as it is to be tried} */
        Batch of(Batch part) {
            return careful ? part.carefully() : part;
        }
    }

    /** This record failed. */
    abstract void blame(ConsumerRecord<byte[], byte[]> record, TxnError error);

    /** {@return how often the record is known to have failed} */
    abstract int attempts(ConsumerRecord<byte[], byte[]> record);

    /** Begins a search among the records of a batch; those that they were part of are over for them. */
    abstract void search(Batch batch, Search search);

    /** Some record of this batch failed. */
    final void blame(Batch batch, TxnError error) {
        int size = batch.records().size();
        if (size == 1) {
            blame(batch.records().get(0), error);
        } else {
            search(batch, new Search(Math.max(1, size / 2), false));
        }
    }

    /** Some record of this batch may have failed: which one is seen when each output is waited for. */
    final void watch(Batch batch) {
        search(batch, new Search(batch.records().size(), true));
    }
}
