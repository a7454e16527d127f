package io.github.kafkatxn.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.processor.ProcessorListener.Settlement;
import io.github.kafkatxn.producer.TransactionListener.Outcome;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.TxnError;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InDoubtMetricsTest {
    private static final TransactionStats STATS = Events.stats(1, Duration.ofMillis(1));
    private static final TxnError UNANSWERED = Events.inDoubt(ErrorCategory.RETRIABLE, Action.RETRY_CALL);
    private static final TxnError FENCED = Events.inDoubt(ErrorCategory.APPLICATION_RECOVERABLE, Action.RECREATE);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TransactionMetrics metrics = TransactionMetrics.create(registry);

    @BeforeEach
    void begin() {
        metrics.onBegin("id");
    }

    @Test
    void aTransactionIsInDoubtOnceHoweverOftenItsCommitIsRepeated() {
        metrics.onInDoubt("id", UNANSWERED);
        metrics.onInDoubt("id", UNANSWERED);

        assertThat(inDoubt()).isEqualTo(1);
        assertSettled(0, 0, 0);
    }

    @Test
    void aRepeatedCommitThatIsAnsweredSettlesItAndTheProcessorsWordForItAddsNothing() {
        metrics.onInDoubt("id", UNANSWERED);
        metrics.onEnd("id", Outcome.COMMITTED, STATS, Optional.empty());
        metrics.onSettled(0, Settlement.REPEATED);

        assertThat(inDoubt()).isEqualTo(1);
        assertSettled(1, 0, 0);
    }

    @Test
    void aRepeatedCommitThatIsAnsweredWithAnAbortSettlesIt() {
        metrics.onInDoubt("id", UNANSWERED);
        metrics.onEnd(
                "id",
                Outcome.ABORTED,
                STATS,
                Optional.of(Events.error(ErrorCategory.ABORTABLE, Action.ABORT_AND_REPLAY)));

        assertSettled(0, 0, 1);
    }

    @Test
    void anAbandonedOneIsSettledByTheProcessor() {
        metrics.onInDoubt("id", UNANSWERED);
        metrics.onEnd("id", Outcome.ABANDONED, STATS, Optional.of(FENCED));
        assertThat(inDoubt()).isEqualTo(1);
        assertSettled(0, 0, 0);

        metrics.onSettled(0, Settlement.COMMITTED);
        metrics.onSettled(1, Settlement.NOT_COMMITTED);
        assertSettled(0, 1, 1);
    }

    @Test
    void aFenceThatLeavesTheFirstCommitInDoubtCounts() {
        metrics.onEnd("id", Outcome.ABANDONED, STATS, Optional.of(FENCED));

        assertThat(inDoubt()).isEqualTo(1);
    }

    @Test
    void theNextTransactionOfTheIdIsInDoubtForItself() {
        metrics.onInDoubt("id", UNANSWERED);
        metrics.onEnd("id", Outcome.COMMITTED, STATS, Optional.empty());
        metrics.onBegin("id");
        metrics.onEnd("id", Outcome.COMMITTED, STATS, Optional.empty());
        assertThat(inDoubt()).isEqualTo(1);
        assertSettled(1, 0, 0);

        metrics.onBegin("id");
        metrics.onInDoubt("id", UNANSWERED);
        assertThat(inDoubt()).isEqualTo(2);
    }

    @Test
    void aTransactionWithoutDoubtSettlesNothing() {
        metrics.onEnd(
                "id",
                Outcome.ABORTED,
                STATS,
                Optional.of(Events.error(ErrorCategory.ABORTABLE, Action.ABORT_AND_REPLAY)));

        assertThat(inDoubt()).isZero();
        assertSettled(0, 0, 0);
    }

    private double inDoubt() {
        return registry.get("kafka.txn.in.doubt").counter().count();
    }

    private void assertSettled(int repeated, int committed, int notCommitted) {
        assertThat(settled(Settlement.REPEATED)).as("repeated").isEqualTo(repeated);
        assertThat(settled(Settlement.COMMITTED)).as("committed").isEqualTo(committed);
        assertThat(settled(Settlement.NOT_COMMITTED)).as("not committed").isEqualTo(notCommitted);
    }

    private double settled(Settlement settlement) {
        return registry.get("kafka.txn.in.doubt.settled")
                .tag("settlement", PerConstant.tagValue(settlement))
                .counter()
                .count();
    }
}
