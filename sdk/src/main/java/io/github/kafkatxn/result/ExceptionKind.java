package io.github.kafkatxn.result;

/** What an exception says, apart from where it came from. {@link KnownExceptions} has the classes of each kind. */
enum ExceptionKind {
    /** The wait was over before the answer came; the request itself goes on. */
    TIMEOUT(true),
    /** The thread was told to stop waiting; the request itself goes on. */
    INTERRUPTED(true),
    /** Passes by itself. */
    RETRIABLE(true),
    /** Passes once metadata has been refreshed. */
    REFRESH_RETRIABLE(true),
    /** The broker or the client says: abort, then go on. */
    ABORTABLE(false),
    /**
     * The coordinator has no such transaction open. On the produce path it only says that this batch is refused; from
     * EndTxn it is a definite no, for a commit that was applied is answered with success when it is repeated.
     */
    INVALID_TXN_STATE(false),
    /** The broker has a gap where the producer has none; an abort starts afresh. */
    SEQUENCE(false),
    /** The group has moved on; the consumer has to catch up with it. KIP-1050 calls it application recoverable. */
    MEMBERSHIP(false),
    /** The same, as the new group protocols say it; KIP-1319 calls it abortable. */
    GROUP_MISMATCH(false),
    /** Another member uses the same {@code group.instance.id}. */
    DUPLICATE_INSTANCE(false),
    /** Epoch lower than the broker's: timed out, or replaced by another producer. */
    EPOCH(true),
    /** Another producer with this transactional id has taken over, or the coordinator says so after a timeout. */
    FENCED(true),
    /** The coordinator has forgotten this producer id. */
    FORGOTTEN(true),
    /** One record is at fault. */
    RECORD(false),
    /** A setting or a permission on the data is at fault. */
    CONFIGURATION(false),
    /**
     * The coordinator no longer talks to this client. It may have done so once more before: an earlier attempt at the
     * same commit can have been applied and its answer lost with the connection.
     */
    ACCESS(true),
    /** Refused by the client, because it is still waiting for the answer to a commit. */
    COMMIT_PENDING(true),
    /** The caller used the API in a way its state does not allow. */
    USAGE(false),
    /** Something that was handed over is at fault: for a record the record, or the code that serializes it. */
    ARGUMENT(true),
    /** Says nothing by itself; what a later abort answers does. */
    UNKNOWN(true);

    private final boolean leavesCommitOpen;

    ExceptionKind(boolean leavesCommitOpen) {
        this.leavesCommitOpen = leavesCommitOpen;
    }

    /** {@return whether a commit that met this may still have been applied} */
    boolean leavesCommitOpen() {
        return leavesCommitOpen;
    }

    /** {@return whether waiting and asking again is the cure} */
    boolean isWaiting() {
        return this == TIMEOUT || this == INTERRUPTED || this == RETRIABLE || this == REFRESH_RETRIABLE;
    }

    /**
     * The kind as the reason for which the client is in its error state. Waiting does not end that state, whatever led
     * to it: a batch that timed out is a lost batch, and the same call would be refused again and again.
     */
    ExceptionKind asReasonForErrorState() {
        return isWaiting() ? ABORTABLE : this;
    }
}
