package io.github.kafkatxn.cluster.internal.share;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A range of offsets in the same state.
 *
 * @param first the first offset
 * @param last the last one
 * @param state where they are
 * @param deliveryCount how often they were delivered
 * @param staging of TX_PENDING, else null
 */
public record StateBatch(
        long first,
        long last,
        RecordState state,
        int deliveryCount,
        @Nullable Staging staging) {

    StateBatch between(long from, long to) {
        return new StateBatch(Math.max(first, from), Math.min(last, to), state, deliveryCount, staging);
    }

    /** What a marker makes of it: an abort gives back to everybody what nobody knows the holder of any more. */
    StateBatch ended(boolean commit) {
        RecordState next = commit && staging != null ? staging.target() : RecordState.AVAILABLE;
        return new StateBatch(first, last, next, deliveryCount, null);
    }

    long size() {
        return last - first + 1;
    }

    /** {@return whether it goes on where another one ends} */
    boolean continues(StateBatch before) {
        return before.last + 1 == first
                && before.state == state
                && before.deliveryCount == deliveryCount
                && Objects.equals(before.staging, staging);
    }
}
