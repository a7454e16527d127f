package io.github.kafkatxn.cluster;

import io.github.kafkatxn.cluster.internal.share.SharePartition;
import java.util.OptionalLong;

/**
 * A record of a share group, as the leader of its partition has it now.
 *
 * @param offset its offset
 * @param state where it is
 * @param memberId who holds it, or has staged its acknowledgement; empty if nobody does
 * @param deliveryCount how often it was delivered
 * @param stagedBy the id of the producer in whose transaction its acknowledgement waits; empty if none does
 */
public record ShareRecord(long offset, State state, String memberId, int deliveryCount, OptionalLong stagedBy) {

    static ShareRecord of(SharePartition.View view) {
        return new ShareRecord(
                view.offset(),
                State.valueOf(view.state().name()),
                view.memberId(),
                view.deliveryCount(),
                view.staging() == null
                        ? OptionalLong.empty()
                        : OptionalLong.of(view.staging().producerId()));
    }

    /** Where a record is. */
    public enum State {
        /** It can be delivered. */
        AVAILABLE,
        /** A member has it. */
        ACQUIRED,
        /** It has been processed. */
        ACKNOWLEDGED,
        /** It will not be delivered any more, and has not been processed. */
        ARCHIVED,
        /** It is acknowledged in a transaction that has not ended. */
        TX_PENDING
    }
}
