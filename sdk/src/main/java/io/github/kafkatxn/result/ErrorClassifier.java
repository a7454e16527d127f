package io.github.kafkatxn.result;

import java.util.Map;

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
        Throwable thrown = Failure.withoutFuture(failure);
        if (thrown instanceof TxnException known) {
            TxnError error = known.error();
            // "Repeat this call" means the call that failed, and must not be taken for this one.
            if (error.operation() == operation || error.action() != Action.RETRY_CALL) {
                return error;
            }
            thrown = error.cause();
        }
        return error(operation, Failure.of(thrown), condition);
    }

    static TxnError error(Operation operation, Failure failure, Condition condition) {
        ExceptionKind kind = failure.kind();
        Throwable cause = Failure.unshared(failure.cause());
        Action action = Actions.of(operation, kind, condition);
        ErrorCategory category = Categories.of(operation, kind);
        boolean inDoubt = isInDoubt(operation, kind, condition);
        boolean recordLevel = action == Action.STOP && isRecordLevel(operation, kind);
        String message = ErrorText.of(operation, cause, category, action, inDoubt, recordLevel);
        return new TxnError(operation, category, action, cause, Map.of(), inDoubt, recordLevel, message);
    }

    private static boolean isInDoubt(Operation operation, ExceptionKind kind, Condition condition) {
        if (condition == Condition.ABORTED) {
            return false;
        }
        // A call on the producer, or close, while its end of transaction is pending: that may be a commit.
        boolean pending = kind == ExceptionKind.COMMIT_PENDING
                || (kind == ExceptionKind.USAGE && condition == Condition.COMPLETING);
        return switch (operation) {
            case COMMIT -> kind.leavesCommitOpen() || pending;
            case ABORT -> kind == ExceptionKind.COMMIT_PENDING;
            case CLOSE -> condition == Condition.COMPLETING;
            case INIT, BEGIN, SEND, SEND_OFFSETS, SEND_SHARE_ACKNOWLEDGEMENTS -> pending;
            case POLL, TRANSFORM -> false;
        };
    }

    private static boolean isRecordLevel(Operation operation, ExceptionKind kind) {
        return switch (operation) {
            case SEND -> kind == ExceptionKind.RECORD || kind == ExceptionKind.ARGUMENT;
            // Calls without a record meet it as the reason for the error state.
            case SEND_OFFSETS, SEND_SHARE_ACKNOWLEDGEMENTS, COMMIT, POLL, TRANSFORM -> kind == ExceptionKind.RECORD;
            case INIT, BEGIN, ABORT, CLOSE -> false;
        };
    }
}
