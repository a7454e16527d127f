package io.github.kafkatxn.result;

import java.util.EnumSet;
import java.util.Set;

/** The category of KIP-1050 for a kind of exception, as far as the operation changes it. */
final class Categories {
    private static final Set<Operation> INSIDE_TRANSACTION = EnumSet.of(
            Operation.SEND, Operation.SEND_OFFSETS, Operation.SEND_SHARE_ACKNOWLEDGEMENTS, Operation.TRANSFORM);

    private Categories() {}

    static ErrorCategory of(Operation operation, ExceptionKind kind) {
        ErrorCategory category = ofKind(operation, kind);
        // KIP-1050: abort is never answered with "abort", that would be a loop. After a close it is not possible.
        boolean over = operation == Operation.ABORT || operation == Operation.CLOSE;
        return over && category == ErrorCategory.ABORTABLE ? ErrorCategory.APPLICATION_RECOVERABLE : category;
    }

    private static ErrorCategory ofKind(Operation operation, ExceptionKind kind) {
        boolean inside = INSIDE_TRANSACTION.contains(operation);
        return switch (kind) {
            // KIP-1050: sending the record again in the same transaction could write it twice.
            case TIMEOUT, RETRIABLE -> inside ? ErrorCategory.ABORTABLE : ErrorCategory.RETRIABLE;
            case REFRESH_RETRIABLE -> inside ? ErrorCategory.ABORTABLE : ErrorCategory.REFRESH_RETRIABLE;
            case ABORTABLE -> ErrorCategory.ABORTABLE;
            case INVALID_TXN_STATE -> abortableIf(operation == Operation.SEND);
            case SEQUENCE -> abortableIf(inside || operation == Operation.COMMIT);
            case GROUP_MISMATCH -> abortableIf(inside);
            case RECORD, CONFIGURATION, ACCESS -> ErrorCategory.INVALID_CONFIGURATION;
            case INTERRUPTED, MEMBERSHIP, DUPLICATE_INSTANCE, EPOCH, FENCED, FORGOTTEN ->
                ErrorCategory.APPLICATION_RECOVERABLE;
            case COMMIT_PENDING, USAGE, ARGUMENT, UNKNOWN -> ErrorCategory.APPLICATION_RECOVERABLE;
        };
    }

    private static ErrorCategory abortableIf(boolean abortable) {
        return abortable ? ErrorCategory.ABORTABLE : ErrorCategory.APPLICATION_RECOVERABLE;
    }
}
