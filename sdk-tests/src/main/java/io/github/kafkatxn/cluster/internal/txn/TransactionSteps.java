package io.github.kafkatxn.cluster.internal.txn;

/** Asked by a coordinator before it takes the steps that end a transaction, one by one. On the node's thread. */
public interface TransactionSteps {

    /** Every step is taken at once. */
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
     * PREPARE is written; the markers are sent next.
     *
     * @param transactionalId whose transaction ends
     * @param commit whether it is committed
     * @param goOn sends them; now, later on the node's thread, or never
     */
    void beforeMarkers(String transactionalId, boolean commit, Runnable goOn);

    /**
     * All markers are written; COMPLETE is written next.
     *
     * @param transactionalId whose transaction ends
     * @param commit whether it is committed
     * @param goOn writes it; now, later on the node's thread, or never
     */
    void beforeComplete(String transactionalId, boolean commit, Runnable goOn);
}
