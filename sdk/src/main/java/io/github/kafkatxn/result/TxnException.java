package io.github.kafkatxn.result;

/** A {@link TxnError} as an exception, for callers of {@link TxnResult#orElseThrow()} and for failed futures. */
public final class TxnException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient TxnError error;

    /**
     * An exception with the message and the cause of an error.
     *
     * @param error what happened
     */
    public TxnException(TxnError error) {
        super(error.message(), error.cause());
        this.error = error;
    }

    /** {@return what happened and what to do next} */
    public TxnError error() {
        return error;
    }
}
