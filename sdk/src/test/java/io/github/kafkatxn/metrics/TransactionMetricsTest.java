package io.github.kafkatxn.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.processor.Guarantee;
import io.github.kafkatxn.processor.ProcessorListener.Settlement;
import io.github.kafkatxn.producer.TransactionListener.OffsetsPath;
import io.github.kafkatxn.producer.TransactionListener.Outcome;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TransactionMetricsTest {
    private static final TransactionStats STATS = Events.stats(7, Duration.ofMillis(250));
    private static final TopicPartition INPUT = new TopicPartition("input", 0);

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
    private final TransactionMetrics metrics = TransactionMetrics.create(registry);

    @Test
    void everyOutcomeCategoryAndActionHasItsOwnCounter() {
        metrics.onEnd("id", Outcome.COMMITTED, STATS, Optional.empty());
        metrics.onEnd("id", Outcome.ABORTED, STATS, Optional.empty());
        for (Outcome outcome : List.of(Outcome.ABORTED, Outcome.ABANDONED)) {
            for (ErrorCategory category : ErrorCategory.values()) {
                for (Action action : Action.values()) {
                    metrics.onEnd("id", outcome, STATS, Optional.of(Events.error(category, action)));
                }
            }
        }

        assertThat(registry.find("kafka.txn.transactions").counters())
                .hasSize(3 + 2 * 5 * 4)
                .allSatisfy(counter -> assertThat(counter.count())
                        .as("%s", counter.getId())
                        .isEqualTo(
                                "abandoned".equals(counter.getId().getTag("outcome"))
                                                && "none".equals(counter.getId().getTag("category"))
                                        ? 0
                                        : 1));
        assertThat(count("kafka.txn.transactions", "outcome", "aborted", "category", "abortable"))
                .isEqualTo(4);
        assertThat(count("kafka.txn.transactions", "outcome", "abandoned", "action", "recreate"))
                .isEqualTo(5);
        assertThat(count("kafka.txn.transactions", "outcome", "committed", "category", "none", "action", "none"))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void durationAndSizeAreDistributionsByOutcome(Outcome outcome) {
        metrics.onEnd("id", outcome, Events.stats(7, Duration.ofMillis(250)), Optional.empty());
        metrics.onEnd("id", outcome, Events.stats(3, Duration.ofMillis(50)), Optional.empty());

        var duration = registry.get("kafka.txn.duration")
                .tag("outcome", PerConstant.tagValue(outcome))
                .timer();
        var records = registry.get("kafka.txn.records")
                .tag("outcome", PerConstant.tagValue(outcome))
                .summary();
        assertThat(duration.count()).isEqualTo(2);
        assertThat(duration.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(300);
        assertThat(duration.max(TimeUnit.MILLISECONDS)).isEqualTo(250);
        assertThat(records.count()).isEqualTo(2);
        assertThat(records.totalAmount()).isEqualTo(10);
        assertThat(records.max()).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    void offsetsAreCountedByTheirPath(OffsetsPath path) {
        metrics.onOffsets("id", path);

        assertThat(count("kafka.txn.offsets")).isEqualTo(1);
        assertThat(count("kafka.txn.offsets", "path", PerConstant.tagValue(path)))
                .isEqualTo(1);
    }

    @Test
    void shareAcknowledgementsAreCountedByRecords() {
        metrics.onShareAcknowledgements("id", 3);
        metrics.onShareAcknowledgements("id", 4);

        assertThat(count("kafka.txn.share.acknowledgements")).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    void retriesAreCountedByOperation(Operation operation) {
        metrics.onRetry("id", operation, new IllegalStateException());

        assertThat(count("kafka.txn.retries")).isEqualTo(1);
        assertThat(count("kafka.txn.retries", "operation", operation.toString()))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void rewindsAreCountedByCategory(ErrorCategory category) {
        metrics.onRewind(3, Events.error(category, Action.ABORT_AND_REPLAY), Map.of(INPUT, 17L));

        assertThat(count("kafka.txn.rewinds")).isEqualTo(1);
        assertThat(count("kafka.txn.rewinds", "category", PerConstant.tagValue(category)))
                .isEqualTo(1);
    }

    @Test
    void whatElseAProcessorDoesIsCounted() {
        TxnError error = Events.error(ErrorCategory.APPLICATION_RECOVERABLE, Action.RECREATE);

        metrics.onProducerRebuilt(0, "id", error);
        metrics.onDeadLetter(0, INPUT, 1, error);
        metrics.onDeadLetter(1, INPUT, 2, error);
        metrics.onProcessed(0, 500);
        metrics.onProcessed(1, 20);

        assertThat(count("kafka.txn.producers.rebuilt")).isEqualTo(1);
        assertThat(count("kafka.txn.dead.letters")).isEqualTo(2);
        assertThat(count("kafka.txn.processed")).isEqualTo(520);
    }

    @Test
    void theGaugeIsTheAgeOfTheOldestOpenTransaction() {
        assertThat(age()).isZero();
        metrics.onBegin("a");
        clock.add(Duration.ofMillis(1500));
        metrics.onBegin("b");
        clock.add(Duration.ofSeconds(2));
        assertThat(age()).isEqualTo(3.5);

        metrics.onEnd("a", Outcome.COMMITTED, STATS, Optional.empty());
        assertThat(age()).isEqualTo(2);

        metrics.onEnd("b", Outcome.ABANDONED, STATS, Optional.empty());
        assertThat(age()).isZero();
    }

    @Test
    void aTransactionReplacesAnOpenOneOfTheSameId() {
        metrics.onBegin("a");
        clock.add(Duration.ofSeconds(60));
        metrics.onBegin("a");
        clock.add(Duration.ofSeconds(1));

        assertThat(age()).isEqualTo(1);
    }

    @Test
    void whatAShareProcessorPromisesIsCounted() {
        metrics.onStarted(0, Guarantee.AT_LEAST_ONCE);
        metrics.onStarted(1, Guarantee.AT_LEAST_ONCE);
        metrics.onPossibleDuplicates(1, 30, Events.error(ErrorCategory.ABORTABLE, Action.ABORT_AND_REPLAY));

        assertThat(count("kafka.txn.lanes.started", "guarantee", "at_least_once"))
                .isEqualTo(2);
        assertThat(count("kafka.txn.lanes.started", "guarantee", "exactly_once"))
                .isZero();
        assertThat(count("kafka.txn.possible.duplicates")).isEqualTo(30);
    }

    @Test
    void noEventAddsASeries() {
        List<Meter.Id> before = registry.getMeters().stream().map(Meter::getId).toList();

        everyOutcomeCategoryAndActionHasItsOwnCounter();
        whatElseAProcessorDoesIsCounted();
        for (Operation operation : Operation.values()) {
            metrics.onRetry("id", operation, new IllegalStateException());
        }
        metrics.onSettled(0, Settlement.COMMITTED);
        whatAShareProcessorPromisesIsCounted();

        assertThat(before).hasSizeLessThan(85);
        assertThat(before)
                .containsExactlyInAnyOrderElementsOf(
                        registry.getMeters().stream().map(Meter::getId).toList());
    }

    private double age() {
        return registry.get("kafka.txn.open.age").timeGauge().value(TimeUnit.SECONDS);
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }
}
