package io.github.kafkatxn.result;

import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;

/**
 * Turns what a client call threw into a {@link TxnError}: the category of KIP-1050 and the action, from the operation,
 * the exception, and what is known of the producer.
 *
 * <p>The outermost exception decides: a {@code TransactionAbortableException} is abortable whatever caused it. Only the
 * wrappers of futures are looked through, and the client's own "in an error state" wrapper, that one by one level. A
 * {@link TxnException} has been classified before and keeps its error.
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
        /** An abort after the failure has succeeded: the producer lives, and the transaction was not committed. */
        ABORTED,
        /** An abort after the failure has failed: the producer is finished. */
        UNUSABLE
    }

    /** {@code TransactionManager.maybeFailWithError}: the last error is the cause. */
    private static final String ERROR_STATE = "in an error state";

    /** The same, after the client has caught itself in an impossible state (KAFKA-14831); no mistake of the caller. */
    private static final String BROKEN_STATE = "previous invalid state transition attempt";

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
        Throwable thrown = withoutFuture(failure);
        if (thrown instanceof TxnException known) {
            TxnError error = known.error();
            // "Repeat this call" means the call that failed, and must not be taken for this one.
            if (error.operation() == operation || error.action() != Action.RETRY_CALL) {
                return error;
            }
            thrown = error.cause();
        }
        Throwable reason = thrown.getCause();
        if (reason != null && isErrorState(thrown)) {
            return error(operation, reason, KnownExceptions.kindOf(reason).asReasonForErrorState(), condition);
        }
        return error(
                operation,
                thrown,
                isBroken(thrown) ? ExceptionKind.UNKNOWN : KnownExceptions.kindOf(thrown),
                condition);
    }

    private static TxnError error(Operation operation, Throwable cause, ExceptionKind kind, Condition condition) {
        Action action = Actions.of(operation, kind, condition);
        ErrorCategory category = Categories.of(operation, kind, cause);
        boolean inDoubt = isInDoubt(operation, kind, condition);
        boolean recordLevel = action == Action.STOP && isRecordLevel(operation, kind);
        String message = ErrorText.of(operation, cause, category, action, inDoubt, recordLevel);
        return new TxnError(operation, category, action, unshared(cause), Map.of(), inDoubt, recordLevel, message);
    }

    private static boolean isInDoubt(Operation operation, ExceptionKind kind, Condition condition) {
        if (condition == Condition.ABORTED) {
            return false;
        }
        // Another call, or close, while the end of the transaction is pending: it may be a commit.
        if (condition == Condition.COMPLETING && (kind == ExceptionKind.USAGE || operation == Operation.CLOSE)) {
            return true;
        }
        return operation == Operation.COMMIT && kind.leavesCommitOpen();
    }

    private static boolean isRecordLevel(Operation operation, ExceptionKind kind) {
        return switch (operation) {
            case SEND -> kind == ExceptionKind.RECORD || kind == ExceptionKind.ARGUMENT;
            // The two in the middle meet it as the reason for the error state.
            case SEND_OFFSETS, SEND_SHARE_ACKNOWLEDGEMENTS, COMMIT, POLL, TRANSFORM -> kind == ExceptionKind.RECORD;
            case INIT, BEGIN, ABORT, CLOSE -> false;
        };
    }

    private static Throwable withoutFuture(Throwable failure) {
        Throwable thrown = failure;
        while (thrown instanceof ExecutionException || thrown instanceof CompletionException) {
            Throwable cause = thrown.getCause();
            if (cause == null) {
                break;
            }
            thrown = cause;
        }
        return thrown;
    }

    private static boolean isErrorState(Throwable thrown) {
        return thrown.getClass() == KafkaException.class && says(thrown, ERROR_STATE);
    }

    private static boolean isBroken(Throwable thrown) {
        return thrown instanceof IllegalStateException && says(thrown, BROKEN_STATE);
    }

    private static boolean says(Throwable thrown, String words) {
        String message = thrown.getMessage();
        return message != null && message.contains(words);
    }

    /**
     * The client throws one instance per error code, shared by the whole process. What is hung on the cause of an error
     * as suppressed must not pile up on that.
     */
    private static Throwable unshared(Throwable cause) {
        if (cause instanceof ApiException shared) {
            Errors code = Errors.forException(shared);
            return code.exception() == shared ? code.exception(code.message()) : shared;
        }
        return cause;
    }
}
