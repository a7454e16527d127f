package io.github.kafkatxn.differential;

/** With {@code transaction.version} 2. */
class TransactionVersion2DifferentialTest extends DifferentialTest {
    TransactionVersion2DifferentialTest() throws Exception {
        super(2);
    }
}
