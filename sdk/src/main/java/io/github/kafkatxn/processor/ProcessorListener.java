package io.github.kafkatxn.processor;

import io.github.kafkatxn.result.TxnError;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Told about what a processor does besides transactions, for metrics and logs.
 *
 * <p>Called on the threads of the lanes; an implementation must be safe for several and must not block. What it throws
 * is logged and otherwise ignored.
 */
public interface ProcessorListener {

    /** How a commit in doubt was settled. */
    enum Settlement {
        /** A repeated commit was answered. */
        REPEATED,
        /** A new producer ended the transaction, and the committed offsets showed that it had been committed. */
        COMMITTED,
        /** A new producer ended the transaction, and the committed offsets showed that it had not been committed. */
        NOT_COMMITTED
    }

    /**
     * A lane begins to work.
     *
     * @param lane number of the lane, from 0
     * @param guarantee what it can promise, by what the cluster can do
     */
    default void onStarted(int lane, Guarantee guarantee) {}

    /**
     * A batch was not committed; the input goes back.
     *
     * @param lane number of the lane
     * @param error why
     * @param positions where each partition goes on from; of a share group, the first record that is tried again
     */
    default void onRewind(int lane, TxnError error, Map<TopicPartition, Long> positions) {}

    /**
     * A producer has been replaced by one with the same transactional id.
     *
     * @param lane number of the lane
     * @param transactionalId the id
     * @param error why
     */
    default void onProducerRebuilt(int lane, String transactionalId, TxnError error) {}

    /**
     * A commit in doubt has been settled.
     *
     * @param lane number of the lane
     * @param settlement how
     */
    default void onSettled(int lane, Settlement settlement) {}

    /**
     * Outputs are committed whose records may be delivered again: an acknowledgement came too late or was not answered,
     * or a commit was not answered. With {@link Guarantee#AT_LEAST_ONCE} only.
     *
     * @param lane number of the lane
     * @param records how many input records
     * @param error why
     */
    default void onPossibleDuplicates(int lane, int records, TxnError error) {}

    /**
     * A record was committed as a dead letter, together with its offset or acknowledgement.
     *
     * @param lane number of the lane
     * @param partition where the record came from
     * @param offset its offset
     * @param error why it could not be processed
     */
    default void onDeadLetter(int lane, TopicPartition partition, long offset, TxnError error) {}

    /**
     * Input was committed, dead letters apart.
     *
     * @param lane number of the lane
     * @param records how many input records
     */
    default void onProcessed(int lane, int records) {}
}
