package io.github.kafkatxn.differential;

/** With {@code transaction.version} 1. */
class TransactionVersion1DifferentialTest extends DifferentialTest {
    TransactionVersion1DifferentialTest() throws Exception {
        super(1);
    }
}
