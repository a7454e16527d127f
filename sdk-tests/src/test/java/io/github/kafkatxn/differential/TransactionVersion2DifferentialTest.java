package io.github.kafkatxn.differential;

import java.util.List;

/** With {@code transaction.version} 2, and share groups, which do not depend on it. */
class TransactionVersion2DifferentialTest extends OpenDifferentialTest {
    TransactionVersion2DifferentialTest() throws Exception {
        super(2, List.of("transactions", "offsets", "views", "shares"));
    }
}
