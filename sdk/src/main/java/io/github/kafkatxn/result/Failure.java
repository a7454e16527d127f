package io.github.kafkatxn.result;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;

/**
 * What was really thrown: out of its wrapper, and of which kind. Four things the client says only in words, since it
 * has one class for them and for much else; the words are those of kafka-clients 4.4.0.
 *
 * @param cause the exception that decides
 * @param kind its kind
 */
record Failure(Throwable cause, ExceptionKind kind) {
    /** The wrapper for every call after a failure; the failure is its cause. */
    static final String ERROR_STATE = "in an error state";

    /** The client has caught itself in an impossible state (KAFKA-14831); no mistake of the caller. */
    static final String BROKEN_STATE = "previous invalid state transition attempt";

    /** How the client refuses whatever else is called while a commit has not been answered. */
    static final String COMMIT_PENDING = "previous call to `commitTransaction` timed out";

    /** What the records around an invalid one fail with; which one it is, only its own failure says. */
    static final String INVALID_NEIGHBOUR = "part of a batch which had one more more invalid records";

    static Failure of(Throwable thrown) {
        if (thrown.getClass() == KafkaException.class) {
            return ofBare(thrown);
        }
        if (thrown instanceof IllegalStateException) {
            if (says(thrown, COMMIT_PENDING)) {
                return new Failure(thrown, ExceptionKind.COMMIT_PENDING);
            } else if (says(thrown, BROKEN_STATE)) {
                return new Failure(thrown, ExceptionKind.UNKNOWN);
            }
        }
        return new Failure(thrown, KnownExceptions.kindOf(thrown));
    }

    private static Failure ofBare(Throwable thrown) {
        Throwable reason = thrown.getCause();
        if (reason != null && says(thrown, ERROR_STATE)) {
            return new Failure(reason, KnownExceptions.kindOf(reason).asReasonForErrorState());
        }
        return new Failure(thrown, says(thrown, INVALID_NEIGHBOUR) ? ExceptionKind.RECORD : ExceptionKind.UNKNOWN);
    }

    /** {@return what a future failed with} */
    static Throwable withoutFuture(Throwable failure) {
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

    /**
     * The client throws one instance per error code, shared by the whole process. What is hung on the cause of an error
     * as suppressed must not pile up on that.
     *
     * @return the cause, or a copy of it
     */
    static Throwable unshared(Throwable cause) {
        if (cause instanceof ApiException shared) {
            Errors code = Errors.forException(shared);
            return code.exception() == shared ? code.exception(code.message()) : shared;
        }
        return cause;
    }

    private static boolean says(Throwable thrown, String words) {
        String message = thrown.getMessage();
        return message != null && message.contains(words);
    }
}
