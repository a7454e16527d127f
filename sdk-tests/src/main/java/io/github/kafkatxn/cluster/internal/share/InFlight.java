package io.github.kafkatxn.cluster.internal.share;

import org.jspecify.annotations.Nullable;

/** An offset in the window of a share partition. */
final class InFlight {
    private final long acquisition;
    private RecordState state;
    private int deliveryCount;
    private String memberId = "";
    private long lockedUntil;
    private @Nullable Staging staging;
    /** Something is being written of it: nobody else may change it. */
    private boolean changing;

    /**
     * An offset.
     *
     * @param acquisition those that were acquired in one go have the same number
     */
    InFlight(long acquisition, RecordState state, int deliveryCount, @Nullable Staging staging) {
        this.acquisition = acquisition;
        this.state = state;
        this.deliveryCount = deliveryCount;
        this.staging = staging;
        this.memberId = staging == null ? "" : staging.memberId();
    }

    long acquisition() {
        return acquisition;
    }

    RecordState state() {
        return state;
    }

    int deliveryCount() {
        return deliveryCount;
    }

    String memberId() {
        return memberId;
    }

    long lockedUntil() {
        return lockedUntil;
    }

    @Nullable
    Staging staging() {
        return staging;
    }

    boolean isChanging() {
        return changing;
    }

    void changing(boolean now) {
        changing = now;
    }

    boolean isAvailable() {
        return state == RecordState.AVAILABLE && !changing;
    }

    boolean isLocked() {
        return state == RecordState.ACQUIRED && !changing;
    }

    boolean isHeldBy(String member) {
        return isLocked() && memberId.equals(member);
    }

    void acquire(String member, long until) {
        state = RecordState.ACQUIRED;
        deliveryCount++;
        memberId = member;
        lockedUntil = until;
    }

    void renew(long until) {
        lockedUntil = until;
    }

    void stage(Staging by) {
        state = RecordState.TX_PENDING;
        staging = by;
    }

    /** The transaction is aborted: its holder has it as before. */
    void unstage(long until) {
        state = RecordState.ACQUIRED;
        staging = null;
        lockedUntil = until;
    }

    /** Nobody has it any more. */
    void become(RecordState next) {
        state = next;
        staging = null;
        memberId = "";
    }
}
