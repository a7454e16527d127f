package io.github.kafkatxn.differential;

import java.util.List;

/** With {@code transaction.version} 1. */
class TransactionVersion1DifferentialTest extends OpenDifferentialTest {
    TransactionVersion1DifferentialTest() throws Exception {
        super(1, List.of("transactions", "offsets", "views"));
    }
}
