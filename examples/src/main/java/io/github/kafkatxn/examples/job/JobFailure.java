package io.github.kafkatxn.examples.job;

/** Something that should have happened has not; the message says what. */
final class JobFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    JobFailure(String message) {
        super(message);
    }

    JobFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
