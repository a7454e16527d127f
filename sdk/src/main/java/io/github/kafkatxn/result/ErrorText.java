package io.github.kafkatxn.result;

import org.apache.kafka.common.errors.InterruptException;

/** The message of an error: what failed, why, and the next step. */
final class ErrorText {
    private static final String SAME_ID = "one with the same transactional.id, and go on from the committed offsets.";

    private ErrorText() {}

    static String of(
            Operation operation,
            Throwable cause,
            ErrorCategory category,
            Action action,
            boolean inDoubt,
            boolean recordLevel) {
        StringBuilder text = new StringBuilder(400);
        text.append(operation).append(" failed (").append(category).append("): ");
        describe(text, cause);
        if (inDoubt) {
            text.append(" Whether the transaction was committed is not known yet.");
        }
        text.append(" Next: ");
        switch (action) {
            case RETRY_CALL -> retry(text, operation, cause);
            case ABORT_AND_REPLAY -> text.append("abort, rewind the input and do the batch again with this producer.");
            case RECREATE -> text.append("close this producer, create ").append(SAME_ID);
            case STOP -> stop(text, operation, cause, inDoubt, recordLevel);
        }
        return text.toString();
    }

    /** The class and message of an exception, and of the cause the client wrapped. */
    private static void describe(StringBuilder text, Throwable cause) {
        sentence(text, cause);
        Throwable inner = cause.getCause();
        if (inner != null && inner != cause) {
            text.append(" Caused by ");
            sentence(text, inner);
        }
    }

    private static void sentence(StringBuilder text, Throwable cause) {
        text.append(cause.getClass().getSimpleName());
        String message = cause.getMessage();
        if (message != null && !message.isBlank()) {
            text.append(": ").append(message.strip());
        }
        if (text.charAt(text.length() - 1) != '.') {
            text.append('.');
        }
    }

    private static void retry(StringBuilder text, Operation operation, Throwable cause) {
        if (cause instanceof InterruptException || cause instanceof InterruptedException) {
            // The client sets the flag again; with the flag set the next call fails at once as well.
            text.append("clear the interrupt flag of the thread and ");
        }
        text.append("call ").append(operation).append(" again");
        text.append(operation == Operation.COMMIT || operation == Operation.ABORT ? ", nothing else." : ".");
    }

    private static void stop(
            StringBuilder text, Operation operation, Throwable cause, boolean inDoubt, boolean recordLevel) {
        String change = WhatToChange.of(operation, cause);
        if (inDoubt) {
            text.append("close this producer, change ").append(change);
            text.append(", then create ").append(SAME_ID);
        } else if (recordLevel) {
            text.append("abort, and skip or dead-letter the record, or change ").append(change);
            text.append("; replaying it fails again.");
        } else {
            boolean noneOpen = operation == Operation.INIT || operation == Operation.BEGIN;
            text.append(noneOpen ? "" : "end the transaction if one is open, and ");
            text.append("change ").append(change).append(" before trying again.");
        }
    }
}
