package io.github.kafkatxn.cluster.internal.txn;

import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * The producer id and epoch that a coordinator answers, or why it does not.
 *
 * @param error {@link Errors#NONE} if it does
 * @param producerId the producer id, else -1
 * @param epoch the producer epoch, else -1
 */
public record ProducerIdentity(Errors error, long producerId, short epoch) {

    static ProducerIdentity of(long producerId, short epoch) {
        return new ProducerIdentity(Errors.NONE, producerId, epoch);
    }

    /**
     * None.
     *
     * @param error why
     * @return the answer
     */
    public static ProducerIdentity refused(Errors error) {
        return new ProducerIdentity(error, RecordBatch.NO_PRODUCER_ID, RecordBatch.NO_PRODUCER_EPOCH);
    }
}
