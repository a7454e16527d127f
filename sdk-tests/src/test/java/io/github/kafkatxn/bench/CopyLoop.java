package io.github.kafkatxn.bench;

/** A consume-transform-produce loop that copies records, exactly once, one thread. */
interface CopyLoop {

    /** {@return what the loop is called in the table} */
    String name();

    /**
     * Copies records in a group of its own, with new producers.
     *
     * @param records how many, from the beginning of the input
     * @param perTransaction how many at most in a transaction
     */
    Measurement run(long records, int perTransaction) throws Exception;
}
