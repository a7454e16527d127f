package io.github.kafkatxn.cluster.internal.share;

/** The types of acknowledgements, as they are on the wire. */
public final class AckType {
    /** There is no record at this offset. */
    public static final byte GAP = 0;
    /** Processed. */
    public static final byte ACCEPT = 1;
    /** To be delivered again. */
    public static final byte RELEASE = 2;
    /** Not to be delivered again. */
    public static final byte REJECT = 3;
    /** The lock begins anew. */
    public static final byte RENEW = 4;

    private AckType() {}

    /** {@return where a record goes} */
    static RecordState target(byte type, int deliveryCount, int deliveryLimit) {
        return switch (type) {
            case ACCEPT -> RecordState.ACKNOWLEDGED;
            case RELEASE -> released(deliveryCount, deliveryLimit);
            default -> RecordState.ARCHIVED;
        };
    }

    static RecordState released(int deliveryCount, int deliveryLimit) {
        return deliveryCount >= deliveryLimit ? RecordState.ARCHIVED : RecordState.AVAILABLE;
    }
}
