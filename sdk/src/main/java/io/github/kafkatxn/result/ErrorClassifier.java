package io.github.kafkatxn.result;

import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;

/**
 * Turns what a client call threw into a {@link TxnError}: the category of KIP-1050 and the action, from the operation,
 * the exception, and what is known of the producer.
 *
 * <p>The outermost exception decides. Only the client's own "in an error state" wrapper, and the wrappers of futures,
 * are looked through, one level: a {@code TransactionAbortableException} is abortable whatever caused it.
 *
 * <p>Stateless, safe for every thread, and without I/O.
 */
public final class ErrorClassifier {

    /** What is known of the producer at the moment of the failure. */
    public enum Condition {
        /** Its transactional id has not been initialised yet. */
        NEW,
        /** A transaction is open, or none is; nothing points at the producer itself. */
        USABLE,
        /** Commit or abort has been asked for and not been answered. */
        COMPLETING,
        /** An abort after the failure has succeeded: the producer lives. */
        ABORTED,
        /** An abort after the failure has failed: the producer is finished. */
        UNUSABLE
    }

    private static final String ERROR_STATE_WRAPPER = "in an error state";

    private ErrorClassifier() {}

    /**
     * Classifies one failure.
     *
     * @param operation the call that failed
     * @param failure what it threw
     * @param condition what is known of the producer
     * @return category, action, and a message that names the next step
     */
    public static TxnError classify(Operation operation, Throwable failure, Condition condition) {
        Throwable cause = unwrap(failure);
        ExceptionKind kind = ExceptionKind.of(cause);
        Action action = Actions.of(operation, kind, condition);
        ErrorCategory category = Categories.of(operation, kind, cause);
        boolean inDoubt = operation == Operation.COMMIT && action != Action.ABORT_AND_REPLAY && kind.leavesCommitOpen();
        boolean recordLevel = kind == ExceptionKind.RECORD && isRecordCall(operation);
        String message = ErrorText.of(operation, cause, category, action, inDoubt, recordLevel);
        return new TxnError(operation, category, action, cause, Map.of(), inDoubt, recordLevel, message);
    }

    private static boolean isRecordCall(Operation operation) {
        return operation == Operation.SEND || operation == Operation.TRANSFORM || operation == Operation.POLL;
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable cause = failure.getCause();
        if (cause == null) {
            return failure;
        }
        boolean future = failure instanceof ExecutionException || failure instanceof CompletionException;
        boolean errorState = failure.getClass() == KafkaException.class
                && String.valueOf(failure.getMessage()).contains(ERROR_STATE_WRAPPER);
        return future || errorState ? cause : failure;
    }
}
