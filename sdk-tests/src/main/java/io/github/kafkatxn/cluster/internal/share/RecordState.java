package io.github.kafkatxn.cluster.internal.share;

/**
 * Where a record of a share partition is.
 *
 * <pre>
 * AVAILABLE -&gt; ACQUIRED -&gt; ACKNOWLEDGED, ARCHIVED, or AVAILABLE again
 *              ACQUIRED -&gt; TX_PENDING -&gt; by commit what was acknowledged, by abort ACQUIRED again
 * </pre>
 */
public enum RecordState {
    /** It can be delivered. */
    AVAILABLE(0),
    /** A member has it. */
    ACQUIRED(1),
    /** It has been processed. */
    ACKNOWLEDGED(2),
    /** It will not be delivered any more, and has not been processed. */
    ARCHIVED(4),
    /** A member has acknowledged it in a transaction that has not ended (KIP-1289). */
    TX_PENDING(5);

    private final byte id;

    RecordState(int id) {
        this.id = (byte) id;
    }

    /** {@return its number on the wire and in the log} */
    public byte id() {
        return id;
    }

    /** {@return whether nothing comes after it} */
    public boolean isFinal() {
        return this == ACKNOWLEDGED || this == ARCHIVED;
    }

    static RecordState ofId(byte id) {
        for (RecordState state : values()) {
            if (state.id == id) {
                return state;
            }
        }
        throw new IllegalArgumentException("no record state " + id);
    }
}
