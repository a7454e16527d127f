package io.github.kafkatxn.cluster.internal.txn;

/**
 * The steps of a coordinator that an ordinary broker takes without being asked: a fault plan may hold it between them.
 * Runs on the node's thread and does not wait.
 */
public interface TransactionSteps {

    /** Every step follows at once. */
    TransactionSteps AT_ONCE = new TransactionSteps() {
        @Override
        public void beforeMarkers(String transactionalId, boolean commit, Runnable goOn) {
            goOn.run();
        }

        @Override
        public void beforeComplete(String transactionalId, boolean commit, Runnable goOn) {
            goOn.run();
        }
    };

    /**
     * The end of a transaction is decided and in the log; its markers are not sent yet.
     *
     * @param transactionalId whose transaction
     * @param commit whether it is committed
     * @param goOn sends them; now, later (on the node's thread) or never
     */
    void beforeMarkers(String transactionalId, boolean commit, Runnable goOn);

    /**
     * All partitions have their markers; that the transaction is complete is not in the log yet.
     *
     * @param transactionalId whose transaction
     * @param commit whether it is committed
     * @param goOn writes it; now, later (on the node's thread) or never
     */
    void beforeComplete(String transactionalId, boolean commit, Runnable goOn);
}
