package io.github.kafkatxn.result;

/** The call or step that failed. */
public enum Operation {
    /** Creating the client and {@code initTransactions}. */
    INIT("init"),
    /** {@code beginTransaction}. */
    BEGIN("begin"),
    /** Sending a record: serializing, partitioning, buffering, and its delivery afterwards. */
    SEND("send"),
    /** {@code sendOffsetsToTransaction}. */
    SEND_OFFSETS("sendOffsetsToTransaction"),
    /** {@code sendShareAcknowledgementsToTransaction} (KIP-1289). */
    SEND_SHARE_ACKNOWLEDGEMENTS("sendShareAcknowledgementsToTransaction"),
    /** {@code commit}, the flush in front of it included. */
    COMMIT("commit"),
    /** {@code abort}. */
    ABORT("abort"),
    /** {@code close}. */
    CLOSE("close"),
    /** Polling the input of a processor. */
    POLL("poll"),
    /** The application's own transform in a processor. */
    TRANSFORM("transform");

    private final String text;

    Operation(String text) {
        this.text = text;
    }

    /** {@return the operation as it is named in messages and metric tags} */
    @Override
    public String toString() {
        return text;
    }
}
