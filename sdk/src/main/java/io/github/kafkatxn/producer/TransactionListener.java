package io.github.kafkatxn.producer;

import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.util.Optional;

/**
 * Told about the life of transactions, for metrics and traces.
 *
 * <p>Called on the thread that owns the transaction, or that closes the producer: an implementation must not block.
 * What it throws is logged and otherwise ignored. A producer has one open transaction at a time, so the transactional
 * id names the transaction.
 */
public interface TransactionListener {

    /** How a transaction ended, as far as this producer knows. */
    enum Outcome {
        /** The commit was answered. */
        COMMITTED,
        /** The abort was answered. */
        ABORTED,
        /** The producer is finished; the next one with this transactional id ends the transaction. */
        ABANDONED
    }

    /** How input offsets went into a transaction, and why not by topic id. */
    enum OffsetsPath {
        /** By topic id: TxnOffsetCommit version 6 (KIP-1319). */
        TOPIC_IDS,
        /** By topic name, version 5: the group coordinator has no version 6. Its topic ids are compared afterwards. */
        OLD_COORDINATOR,
        /** By topic name, version 5: the cluster has no id for one of the topics. */
        TOPIC_WITHOUT_ID,
        /** By {@code KafkaProducer}: the transaction is of version 1. */
        TRANSACTION_VERSION_1,
        /** By {@code KafkaProducer}: the inside of this version of kafka-clients is not known. */
        UNKNOWN_CLIENT
    }

    /**
     * A transaction has begun.
     *
     * @param transactionalId the producer's id
     */
    default void onBegin(String transactionalId) {}

    /**
     * A transaction has ended.
     *
     * @param transactionalId the producer's id
     * @param outcome how
     * @param stats what was in it
     * @param error why it was not committed
     */
    default void onEnd(String transactionalId, Outcome outcome, TransactionStats stats, Optional<TxnError> error) {}

    /**
     * A commit was not answered within its deadline; the transaction is still pending.
     *
     * @param transactionalId the producer's id
     * @param error what the commit returned
     */
    default void onInDoubt(String transactionalId, TxnError error) {}

    /**
     * Input offsets have become part of the transaction.
     *
     * @param transactionalId the producer's id
     * @param path how
     */
    default void onOffsets(String transactionalId, OffsetsPath path) {}

    /**
     * Acknowledgements of a share consumer have become part of the transaction (KIP-1289).
     *
     * @param transactionalId the producer's id
     * @param records of how many records
     */
    default void onShareAcknowledgements(String transactionalId, int records) {}

    /**
     * A call, or a request of it, is about to be repeated.
     *
     * @param transactionalId the producer's id
     * @param operation which call
     * @param cause why the last attempt failed
     */
    default void onRetry(String transactionalId, Operation operation, Throwable cause) {}
}
