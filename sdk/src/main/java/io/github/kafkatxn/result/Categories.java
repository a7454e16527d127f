package io.github.kafkatxn.result;

import java.util.EnumSet;
import java.util.Set;
import org.apache.kafka.common.errors.FencedMemberEpochException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.StaleMemberEpochException;

/** The category of KIP-1050 for a kind of exception, as far as the operation changes it. */
final class Categories {
    private static final Set<Operation> INSIDE_TRANSACTION =
            EnumSet.of(Operation.SEND, Operation.SEND_OFFSETS, Operation.SEND_SHARE_ACKNOWLEDGEMENTS);

    private Categories() {}

    static ErrorCategory of(Operation operation, ExceptionKind kind, Throwable cause) {
        ErrorCategory category = ofKind(operation, kind, cause);
        // KIP-1050: abort is never answered with "abort", that would be a loop.
        return operation == Operation.ABORT && category == ErrorCategory.ABORTABLE
                ? ErrorCategory.APPLICATION_RECOVERABLE
                : category;
    }

    private static ErrorCategory ofKind(Operation operation, ExceptionKind kind, Throwable cause) {
        return switch (kind) {
            // KIP-1050: sending the record again in the same transaction could write it twice.
            case RETRIABLE ->
                INSIDE_TRANSACTION.contains(operation) ? ErrorCategory.ABORTABLE : ErrorCategory.RETRIABLE;
            case REFRESH_RETRIABLE ->
                INSIDE_TRANSACTION.contains(operation) ? ErrorCategory.ABORTABLE : ErrorCategory.REFRESH_RETRIABLE;
            case ABORTABLE -> ErrorCategory.ABORTABLE;
            case INVALID_TXN_STATE, SEQUENCE ->
                operation == Operation.SEND ? ErrorCategory.ABORTABLE : ErrorCategory.APPLICATION_RECOVERABLE;
            case MEMBERSHIP ->
                operation == Operation.SEND_OFFSETS && isGroupMismatch(cause)
                        ? ErrorCategory.ABORTABLE
                        : ErrorCategory.APPLICATION_RECOVERABLE;
            case RECORD, CONFIGURATION -> ErrorCategory.INVALID_CONFIGURATION;
            case INTERRUPTED, DUPLICATE_INSTANCE, EPOCH, FENCED, USAGE, SERVER, UNRELATED, UNKNOWN ->
                ErrorCategory.APPLICATION_RECOVERABLE;
        };
    }

    /** What v6 of the offset commit answers as it is (KIP-1319), and its kin. */
    private static boolean isGroupMismatch(Throwable cause) {
        return cause instanceof GroupIdNotFoundException
                || cause instanceof StaleMemberEpochException
                || cause instanceof FencedMemberEpochException
                || cause instanceof RebalanceInProgressException;
    }
}
