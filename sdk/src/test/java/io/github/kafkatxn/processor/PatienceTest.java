package io.github.kafkatxn.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.processor.Outcome.Failed;
import io.github.kafkatxn.processor.Outcome.Slowness;
import io.github.kafkatxn.processor.StopReason.Kind;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PatienceTest {
    private static final TxnError OUTAGE = Polls.failure(Operation.COMMIT, new TimeoutException("no answer"));
    private static final TxnError FENCED = Polls.failure(Operation.COMMIT, new ProducerFencedException("fenced"));

    private final AtomicLong clock = new AtomicLong(-100);
    private final StopSignal stop = new StopSignal(Duration.ofSeconds(30));

    @Test
    void waitsLongerAfterEachFailureInARow() {
        Patience patience = withoutWaiting(settings -> settings.recovery(RetryConfig.custom()
                .intervalFunction(IntervalFunction.of(Duration.ofMillis(10), interval -> interval * 2))
                .build()));
        assertThat(patience.interval()).isEqualTo(Duration.ofMillis(10));

        patience.waitAfter(OUTAGE);
        assertThat(patience.interval()).isEqualTo(Duration.ofMillis(10));
        patience.waitAfter(OUTAGE);
        assertThat(patience.interval()).isEqualTo(Duration.ofMillis(20));
        patience.waitAfter(OUTAGE);
        assertThat(patience.interval()).isEqualTo(Duration.ofMillis(40));

        patience.committed();
        patience.waitAfter(OUTAGE);
        assertThat(patience.interval()).isEqualTo(Duration.ofMillis(10));
    }

    @Test
    void theIntervalHasAnEndHoweverLongTheOutageLasts() {
        Patience patience = withoutWaiting(settings -> {});
        patience.waitAfter(OUTAGE);
        assertThat(patience.interval()).isBetween(Duration.ofMillis(25), Duration.ofMillis(75));

        for (int i = 0; i < 1_000; i++) {
            patience.waitAfter(OUTAGE);
            assertThat(patience.interval()).isBetween(Duration.ofMillis(25), Duration.ofSeconds(5));
        }
        assertThat(patience.interval()).isGreaterThan(Duration.ofSeconds(2));
    }

    @Test
    void waitsUnlessItIsToStop() {
        Patience patience = patience(settings -> settings.recovery(RetryConfig.custom()
                .intervalFunction(IntervalFunction.of(Duration.ofMillis(30)))
                .build()));
        long begun = System.nanoTime();

        assertThat(patience.waitAfter(OUTAGE)).isNull();

        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(30));
    }

    @Test
    void givesUpOnceNothingWasCommittedForTooLong() {
        Patience patience = withoutWaiting(settings -> settings.giveUpAfter(Duration.ofMinutes(10)));

        assertThat(patience.waitAfter(OUTAGE)).isNull();
        pass(Duration.ofMinutes(10));
        assertThat(patience.waitAfter(OUTAGE))
                .as("just that long is not longer")
                .isNull();
        pass(Duration.ofNanos(1));
        StopReason reason = Objects.requireNonNull(patience.waitAfter(OUTAGE));

        assertThat(reason.kind()).isEqualTo(Kind.GAVE_UP);
        assertThat(reason.message()).contains("no answer", "Nothing was committed for PT10M.");
    }

    @Test
    void aCommitEndsTheTrouble() {
        Patience patience = withoutWaiting(settings -> settings.giveUpAfter(Duration.ofMinutes(10)));
        assertThat(patience.waitAfter(OUTAGE)).isNull();
        pass(Duration.ofMinutes(9));
        patience.committed();
        pass(Duration.ofMinutes(9));

        assertThat(patience.waitAfter(OUTAGE)).isNull();
        pass(Duration.ofMinutes(9));
        assertThat(patience.waitAfter(OUTAGE)).isNull();
    }

    /** An idle lane commits nothing, and is not in trouble. */
    @Test
    void failuresFarApartAreNotTheSameTrouble() {
        Patience patience = withoutWaiting(settings ->
                settings.giveUpAfter(Duration.ofMinutes(30)).consumerProperty("max.poll.interval.ms", 60_000));

        for (int i = 0; i < 100; i++) {
            assertThat(patience.waitAfter(OUTAGE)).isNull();
            assertThat(patience.interval()).isBetween(Duration.ofMillis(25), Duration.ofMillis(75));
            pass(Duration.ofMinutes(2).plusNanos(1));
        }
        for (int i = 0; i < 15; i++) {
            assertThat(patience.waitAfter(OUTAGE)).isNull();
            pass(Duration.ofMinutes(2));
        }
        assertThat(patience.waitAfter(OUTAGE)).isNull();
        pass(Duration.ofNanos(1));
        assertThat(patience.waitAfter(OUTAGE)).as("without a break").isNotNull();
    }

    @Test
    void isFencedOnlySoOften() {
        Patience patience = withoutWaiting(settings -> settings.maxFencings(2));

        assertThat(patience.countFencing(failed(FENCED), FENCED)).isNull();
        assertThat(patience.countFencing(failed(FENCED), FENCED)).isNull();
        patience.committed();
        StopReason reason = Objects.requireNonNull(patience.countFencing(failed(FENCED), FENCED));

        assertThat(reason.kind()).isEqualTo(Kind.FENCED);
        assertThat(reason.message())
                .contains("Fenced 3 times in 5 minutes", "another live instance has the same name", "must be unique");
    }

    @Test
    void countsTheFencingsOfTheLastFiveMinutes() {
        Patience patience = withoutWaiting(settings -> settings.maxFencings(1));

        assertThat(patience.countFencing(failed(FENCED), FENCED)).isNull();
        pass(Duration.ofMinutes(5).plusNanos(1));
        assertThat(patience.countFencing(failed(FENCED), FENCED)).isNull();
        pass(Duration.ofMinutes(5));
        assertThat(patience.countFencing(failed(FENCED), FENCED)).isNotNull();
    }

    @Test
    void seesAFencingWhereverItShows() {
        TxnError epoch = Polls.failure(Operation.SEND, new InvalidProducerEpochException("old epoch"));
        TxnError inTheCleanUp = Polls.failure(Operation.ABORT, new TimeoutException("abort"));
        inTheCleanUp.cause().addSuppressed(new ProducerFencedException("fenced"));

        assertThat(counts(failed(FENCED), OUTAGE)).isTrue();
        assertThat(counts(failed(epoch), OUTAGE)).isTrue();
        assertThat(counts(failed(OUTAGE), FENCED)).isTrue();
        assertThat(counts(failed(OUTAGE), inTheCleanUp)).isTrue();
    }

    @Test
    void doesNotTakeOtherFailuresForAFencing() {
        assertThat(counts(failed(OUTAGE), OUTAGE)).isFalse();
        assertThat(counts(failed(FENCED, Slowness.WAITED), FENCED))
                .as("the transaction has outlived its timeout")
                .isFalse();
        assertThat(counts(failed(FENCED, Slowness.TRANSFORM), FENCED)).isFalse();
    }

    private boolean counts(Failed failed, TxnError unusable) {
        Patience patience = withoutWaiting(settings -> settings.maxFencings(1));
        assertThat(patience.countFencing(failed, unusable)).isNull();
        return patience.countFencing(failed, unusable) != null;
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    /** A pause ends at once if it is to stop. */
    private Patience withoutWaiting(Consumer<ProcessorSettings.Builder> change) {
        stop.request();
        return patience(change);
    }

    private Patience patience(Consumer<ProcessorSettings.Builder> change) {
        ProcessorSettings.Builder builder = ProcessorSettings.builder()
                .bootstrapServers("localhost:9092")
                .groupId("group")
                .inputTopics("in");
        change.accept(builder);
        ProcessorSettings settings = builder.build();
        LaneListeners nobody = new LaneListeners(0, List.of());
        return new Patience(new LaneContext(0, "lane", settings, stop, nobody), clock::get);
    }

    private static Failed failed(TxnError error) {
        return failed(error, Slowness.NONE);
    }

    private static Failed failed(TxnError error, Slowness slowness) {
        return new Failed(Batch.ofOffsets(Map.of()), error, null, null, false, slowness, false);
    }
}
