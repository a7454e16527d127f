package io.github.kafkatxn.result;

import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;

/**
 * A failure: which category it belongs to, what to do now, and what it came from.
 *
 * @param operation the call or step that failed
 * @param category the category of KIP-1050
 * @param action what the caller has to do next
 * @param cause what the client or the application's code threw; later failures of the clean-up hang on it as suppressed
 *     exceptions
 * @param partitions for calls whose answer is per partition, what failed where; else empty
 * @param inDoubt the transaction may have been committed or not. Repeating commit settles it; so does a new producer
 *     with the same transactional id, after which the committed offsets tell which way it went
 * @param recordLevel one record is at fault, not the cluster: the same record will most likely fail again, so skip or
 *     dead-letter it instead of replaying it for ever
 * @param message what failed, why, and the next step, in a sentence each
 */
public record TxnError(
        Operation operation,
        ErrorCategory category,
        Action action,
        Throwable cause,
        Map<TopicPartition, Throwable> partitions,
        boolean inDoubt,
        boolean recordLevel,
        String message) {

    /**
     * Checks that nothing is missing and copies the map.
     *
     * @param operation not null
     * @param category not null
     * @param action not null
     * @param cause not null
     * @param partitions not null, nor its keys and values
     * @param inDoubt commit may have been applied
     * @param recordLevel one record is at fault
     * @param message not null
     */
    public TxnError {
        Objects.requireNonNull(operation, "operation");
        Objects.requireNonNull(category, "category");
        Objects.requireNonNull(action, "action");
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(message, "message");
        partitions = Map.copyOf(partitions);
    }

    /**
     * The same failure with what went wrong in each partition.
     *
     * @param failures partition to failure
     * @return a copy
     */
    public TxnError withPartitions(Map<TopicPartition, Throwable> failures) {
        return new TxnError(operation, category, action, cause, failures, inDoubt, recordLevel, message);
    }

    /**
     * The same failure with what went wrong before it as its cause.
     *
     * @param first the failure that this one followed
     * @return a copy
     */
    public TxnError withCause(Throwable first) {
        return new TxnError(operation, category, action, first, partitions, inDoubt, recordLevel, message);
    }

    /**
     * The same failure with something more to know about it.
     *
     * @param detail a sentence
     * @return a copy
     */
    public TxnError withDetail(String detail) {
        return new TxnError(
                operation, category, action, cause, partitions, inDoubt, recordLevel, message + " " + detail);
    }

    /** {@return the message} */
    @Override
    public String toString() {
        return message;
    }
}
