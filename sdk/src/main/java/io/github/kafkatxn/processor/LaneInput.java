package io.github.kafkatxn.processor;

import io.github.kafkatxn.processor.Outcome.Failed;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a lane reads: gives it batches, and makes each batch part of the transaction of its outputs. Belongs to the
 * lane's thread, {@link #wakeup} apart.
 */
interface LaneInput {

    /** {@return why the lane cannot begin, or has to ask again ({@code RETRY_CALL}); null if it can} */
    @Nullable
    TxnError check();

    /** {@return what it can promise; known once the lane may begin} */
    Guarantee guarantee();

    /** {@return the name of the group} */
    String groupId();

    /**
     * Waits for what to do in the next transaction.
     *
     * @param timeout how long at most
     * @return the batch, or null if there is nothing to do
     */
    @Nullable
    Batch next(Duration timeout);

    /** {@return when the last poll began, in {@link System#nanoTime()}: the group waits from then on, or from later} */
    long polledSince();

    /**
     * Between the records of a batch: keeps it this member's while it takes long.
     *
     * @param batch which is being transformed
     * @param now the time, in {@link System#nanoTime()}
     * @return why the batch cannot be committed any more, or null
     */
    @Nullable
    TxnError keep(Batch batch, long now);

    /** {@return what is known of records that make batches fail} */
    Suspicion suspicion();

    /**
     * Makes what was read part of the transaction.
     *
     * @param batch whose outputs are in the transaction
     * @param transaction which is committed next
     * @return why that was refused, or null
     */
    @Nullable
    TxnError join(Batch batch, Transaction<?, ?> transaction);

    /** The transaction of the batch is committed. */
    void committed(Batch batch);

    /**
     * Goes back to before a batch whose transaction is over and was not committed, or not known to be. What is known to
     * be done, or to be somebody else's by now, is not given out again.
     *
     * @param failed the batch
     * @param rebuilt whether the producer that had the transaction is another one now
     * @return why the lane has to stop, or null if it can go on
     */
    @Nullable
    StopReason goBack(Failed failed, boolean rebuilt);

    /** Ends a wait for records, from another thread. */
    void wakeup();

    /** Gives what is not done to others. */
    void close(Duration timeout);
}
