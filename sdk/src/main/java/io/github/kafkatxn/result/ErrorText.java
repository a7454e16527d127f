package io.github.kafkatxn.result;

/** The message of an error: what failed, why, and the next step. */
final class ErrorText {
    private ErrorText() {}

    static String of(
            Operation operation,
            Throwable cause,
            ErrorCategory category,
            Action action,
            boolean inDoubt,
            boolean recordLevel) {
        StringBuilder text = new StringBuilder(200);
        text.append(operation)
                .append(" failed (")
                .append(category)
                .append("): ")
                .append(describe(cause));
        if (inDoubt) {
            text.append(" Whether the transaction was committed is not known yet.");
        }
        return text.append(" Next: ")
                .append(next(operation, action, recordLevel))
                .toString();
    }

    /** {@return the class and message of an exception, and of the cause the client wrapped} */
    private static String describe(Throwable cause) {
        StringBuilder text = new StringBuilder(sentence(cause));
        Throwable inner = cause.getCause();
        if (inner != null && inner != cause) {
            text.append(" Caused by ").append(sentence(inner));
        }
        return text.toString();
    }

    private static String sentence(Throwable cause) {
        String message = cause.getMessage();
        String text = cause.getClass().getSimpleName() + (message == null ? "" : ": " + message.strip());
        return text.endsWith(".") ? text : text + ".";
    }

    private static String next(Operation operation, Action action, boolean recordLevel) {
        return switch (action) {
            case RETRY_CALL ->
                "call " + operation + " again" + (endsTransaction(operation) ? ", nothing else" : "") + ".";
            case ABORT_AND_REPLAY -> "abort, rewind the input and do the batch again with this producer.";
            case RECREATE ->
                "close this producer, create one with the same transactional.id, and go on from the"
                        + " committed offsets.";
            case STOP ->
                recordLevel
                        ? "abort, and skip or dead-letter the record, or change what refuses it; replaying it fails again."
                        : "end the transaction, and change what the message names before trying again.";
        };
    }

    private static boolean endsTransaction(Operation operation) {
        return operation == Operation.COMMIT || operation == Operation.ABORT;
    }
}
