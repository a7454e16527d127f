package io.github.kafkatxn.result;

/** What the caller has to do after a failure. */
public enum Action {
    /**
     * Repeat this same call. After a commit or abort whose answer did not come in time it is the only legal call
     * besides close: the transaction may already have ended either way.
     */
    RETRY_CALL,

    /** Abort, rewind the input to the start of the batch and do the batch again, with the same producer. */
    ABORT_AND_REPLAY,

    /**
     * Close, open a new producer with the <em>same</em> transactional id, initialise it, and go on from the offsets the
     * broker has committed. Initialising ends whatever the old producer had left open, one way or the other.
     */
    RECREATE,

    /**
     * A person or a change of configuration is needed; the message names what to change. End the transaction if one is
     * open (abort, or close) and do not repeat the work unchanged.
     */
    STOP
}
