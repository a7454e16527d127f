package io.github.kafkatxn.chaos;

/** What a copy tells of its transactions, on its own thread. */
interface Steps {

    /**
     * A phase is about to begin: with {@link Phase#SEND} some of the records have been sent and others have not, with
     * the others the call comes next. May block.
     *
     * @param transaction its number, from 1
     */
    void begins(int transaction, Phase phase);

    /** What has begun is over: the call has returned for the last time. */
    void ended(Phase phase);
}
