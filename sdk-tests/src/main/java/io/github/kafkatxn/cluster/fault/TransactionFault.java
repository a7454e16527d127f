package io.github.kafkatxn.cluster.fault;

import java.time.Duration;

/**
 * A fault inside a transaction coordinator, between the steps of ending a transaction, that is being planned. EndTxn is
 * answered once PREPARE is written; then the markers are sent to the partitions, and then COMPLETE is written.
 *
 * <pre>{@code
 * FaultRule prepared = cluster.faults().onTransaction("orders-0").holdBeforeMarkers();
 * // ... commit, on another thread or not: the answer does not wait for the markers
 * prepared.awaitHit();
 * cluster.moveLeader(cluster.transactionPartition("orders-0"), 1); // the new coordinator finds PREPARE and goes on
 * }</pre>
 *
 * <p>To delay, repeat or lose single markers, see {@link FaultPlan#on(org.apache.kafka.common.protocol.ApiKeys)} with
 * {@code WRITE_TXN_MARKERS}. Markers of several transactions for one node stay in their order there, since they travel
 * over one connection: to change it, let the first transaction wait with {@link #holdBeforeMarkers()}. Belongs to one
 * thread.
 */
public interface TransactionFault {

    /**
     * The first transaction that ends only. The default.
     *
     * @return this
     */
    TransactionFault once();

    /**
     * The first transactions that end.
     *
     * @param count how many, 1 or more
     * @return this
     */
    TransactionFault times(int count);

    /**
     * One transaction only, counted from 1.
     *
     * @param number which, 1 or more
     * @return this
     */
    TransactionFault onCall(int number);

    /**
     * Every transaction that ends, until the rule is removed.
     *
     * @return this
     */
    TransactionFault everyTime();

    /**
     * Those only that are committed.
     *
     * @return this
     */
    TransactionFault committing();

    /**
     * Those only that are aborted, by whomever.
     *
     * @return this
     */
    TransactionFault aborting();

    /**
     * PREPARE is written, and no marker is sent until {@link FaultRule#release()}.
     *
     * @return the rule
     */
    FaultRule holdBeforeMarkers();

    /**
     * All markers are written, and COMPLETE is not until {@link FaultRule#release()}.
     *
     * @return the rule
     */
    FaultRule holdBeforeComplete();

    /**
     * The markers are sent later.
     *
     * @param delay how much later, in real time
     * @return the rule
     */
    FaultRule delayBeforeMarkers(Duration delay);

    /**
     * COMPLETE is written later.
     *
     * @param delay how much later, in real time
     * @return the rule
     */
    FaultRule delayBeforeComplete(Duration delay);
}
