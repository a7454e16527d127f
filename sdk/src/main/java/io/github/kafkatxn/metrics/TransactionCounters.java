package io.github.kafkatxn.metrics;

import io.github.kafkatxn.producer.TransactionListener.Outcome;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.TxnError;
import io.micrometer.core.instrument.Counter;
import java.util.Optional;

/** Counts ended transactions by outcome, and by the category and action of what kept them from being committed. */
final class TransactionCounters {
    static final String NONE = "none";

    private final MeterSet meters;
    private final PerConstant<Outcome, Counter> withoutError;
    private final PerConstant<ErrorCategory, PerConstant<Action, Counter>> aborted;
    private final PerConstant<ErrorCategory, PerConstant<Action, Counter>> abandoned;

    TransactionCounters(MeterSet meters) {
        this.meters = meters;
        this.withoutError =
                new PerConstant<>(Outcome.class, outcome -> counter(PerConstant.tagValue(outcome), NONE, NONE));
        this.aborted = failed(Outcome.ABORTED);
        this.abandoned = failed(Outcome.ABANDONED);
    }

    Counter get(Outcome outcome, Optional<TxnError> error) {
        if (error.isEmpty()) {
            return withoutError.get(outcome);
        }
        TxnError failure = error.get();
        return switch (outcome) {
            case COMMITTED -> withoutError.get(outcome);
            case ABORTED -> aborted.get(failure.category()).get(failure.action());
            case ABANDONED -> abandoned.get(failure.category()).get(failure.action());
        };
    }

    private PerConstant<ErrorCategory, PerConstant<Action, Counter>> failed(Outcome outcome) {
        return new PerConstant<>(
                ErrorCategory.class,
                category -> new PerConstant<>(
                        Action.class,
                        action -> counter(
                                PerConstant.tagValue(outcome),
                                PerConstant.tagValue(category),
                                PerConstant.tagValue(action))));
    }

    private Counter counter(String outcome, String category, String action) {
        return meters.counter(
                "kafka.txn.transactions",
                "transactions",
                "Transactions that have ended",
                "outcome",
                outcome,
                "category",
                category,
                "action",
                action);
    }
}
