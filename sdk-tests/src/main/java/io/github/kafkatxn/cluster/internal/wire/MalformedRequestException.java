package io.github.kafkatxn.cluster.internal.wire;

/** Bytes that are no request of Kafka's: like a broker, a node closes the connection they came from. */
public final class MalformedRequestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * What is wrong, without a cause.
     *
     * @param message names it and what would be right
     */
    public MalformedRequestException(String message) {
        super(message);
    }

    /**
     * What is wrong.
     *
     * @param message names it
     * @param cause what the decoder said
     */
    public MalformedRequestException(String message, Throwable cause) {
        super(message, cause);
    }
}
