package io.github.kafkatxn.metrics;

import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.Map;

/** What listeners are told, made up. */
final class Events {
    private Events() {}

    static TransactionStats stats(long records, Duration duration) {
        return new TransactionStats(records, 1, duration);
    }

    static TxnError error(ErrorCategory category, Action action) {
        return error(category, action, false);
    }

    static TxnError inDoubt(ErrorCategory category, Action action) {
        return error(category, action, true);
    }

    private static TxnError error(ErrorCategory category, Action action, boolean inDoubt) {
        Throwable cause = new IllegalStateException(category + " " + action);
        return new TxnError(Operation.COMMIT, category, action, cause, Map.of(), inDoubt, false, "made up");
    }
}
