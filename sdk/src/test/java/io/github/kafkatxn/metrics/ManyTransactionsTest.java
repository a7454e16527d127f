package io.github.kafkatxn.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionListener.Outcome;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.TxnError;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many transactions, one after the other and side by side. */
class ManyTransactionsTest {
    private static final int MILLION = 1_000_000;
    private static final int LANES = 8;
    private static final List<Outcome> OUTCOMES = List.of(Outcome.values());
    private static final TransactionStats STATS = Events.stats(10, Duration.ofMillis(1));
    private static final TxnError ERROR = Events.inDoubt(ErrorCategory.APPLICATION_RECOVERABLE, Action.RECREATE);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final TransactionMetrics metrics = TransactionMetrics.create(registry);

    @Test
    void metricsKeepNothingOfAMillionTransactions() {
        int meters = registry.getMeters().size();

        assertThat(grownBy(metrics)).isLessThan(16L << 20);
        assertThat(metrics.openTransactions()).isZero();
        assertThat(registry.getMeters()).hasSize(meters);
        assertThat(ended()).isEqualTo(MILLION);
    }

    @Test
    void observationsKeepNothingOfAMillionTransactions() {
        LongAdder stopped = new LongAdder();
        TransactionObservations observations = TransactionObservations.create(countingStops(stopped));

        assertThat(grownBy(observations)).isLessThan(16L << 20);
        assertThat(observations.openTransactions()).isZero();
        assertThat(stopped.sum()).isEqualTo(MILLION);
    }

    static LongStream seeds() {
        return LongStream.of(1, 2, System.nanoTime());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void lanesAtOnceLoseNothing(long seed) throws Exception {
        LongAdder stopped = new LongAdder();
        TransactionObservations observations = TransactionObservations.create(countingStops(stopped));
        SplittableRandom random = new SplittableRandom(seed);
        List<Callable<Expected>> lanes = new ArrayList<>();
        for (int lane = 0; lane < LANES; lane++) {
            int number = lane;
            SplittableRandom own = random.split();
            lanes.add(() -> run(number, own, observations));
        }

        Expected all = new Expected();
        ExecutorService threads = Executors.newFixedThreadPool(LANES + 1);
        AtomicBoolean done = new AtomicBoolean();
        try {
            Future<Boolean> ages = threads.submit(() -> agesArePlausible(done));
            for (Future<Expected> lane : threads.invokeAll(lanes)) {
                all.add(lane.get());
            }
            done.set(true);
            assertThat(ages.get()).as("ages while lanes were running").isTrue();
        } finally {
            done.set(true);
            threads.shutdownNow();
        }

        assertThat(ended()).isEqualTo(all.ended);
        assertThat(registry.get("kafka.txn.transactions")
                        .tag("outcome", "committed")
                        .counter()
                        .count())
                .isEqualTo(all.committed);
        assertThat(registry.get("kafka.txn.in.doubt").counter().count()).isEqualTo(all.inDoubt);
        assertThat(registry.get("kafka.txn.processed").counter().count()).isEqualTo(all.processed);
        assertThat(metrics.openTransactions()).isZero();
        assertThat(stopped.sum()).isEqualTo(all.ended);
    }

    private Expected run(int lane, SplittableRandom random, TransactionObservations observations) {
        Expected expected = new Expected();
        for (int i = 0; i < 5_000; i++) {
            String id = "app-0-" + lane + "-" + i % 2;
            Outcome outcome = OUTCOMES.get(random.nextInt(OUTCOMES.size()));
            boolean doubt = random.nextInt(4) == 0;
            for (TransactionListener listener : List.of(metrics, observations)) {
                listener.onBegin(id);
                if (doubt) {
                    listener.onInDoubt(id, ERROR);
                }
                listener.onEnd(id, outcome, STATS, Optional.empty());
            }
            int records = random.nextInt(500);
            metrics.onProcessed(lane, records);
            expected.ended++;
            expected.committed += outcome == Outcome.COMMITTED ? 1 : 0;
            expected.inDoubt += doubt ? 1 : 0;
            expected.processed += records;
        }
        return expected;
    }

    private boolean agesArePlausible(AtomicBoolean done) {
        long start = System.nanoTime();
        boolean plausible = true;
        while (!done.get()) {
            double age = registry.get("kafka.txn.open.age").timeGauge().value(TimeUnit.NANOSECONDS);
            plausible &= age >= 0 && age <= System.nanoTime() - start + 1e9;
        }
        return plausible;
    }

    private double ended() {
        return registry.get("kafka.txn.transactions").counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    /** Each transaction with an id of its own, the worst there can be, and an error now and then. */
    private static long grownBy(TransactionListener listener) {
        long before = used();
        for (int i = 0; i < MILLION; i++) {
            String id = "app-0-0-" + i;
            listener.onBegin(id);
            if (i % 3 == 0) {
                listener.onInDoubt(id, ERROR);
            }
            listener.onEnd(
                    id,
                    i % 2 == 0 ? Outcome.COMMITTED : Outcome.ABANDONED,
                    STATS,
                    i % 2 == 0 ? Optional.empty() : Optional.of(ERROR));
        }
        return used() - before;
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        System.gc();
        System.gc();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static ObservationRegistry countingStops(LongAdder stopped) {
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new StopCounter(stopped));
        return observations;
    }

    private record StopCounter(LongAdder stopped) implements ObservationHandler<Observation.Context> {
        @Override
        public void onStop(Observation.Context context) {
            stopped.increment();
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    private static final class Expected {
        int ended;
        int committed;
        int inDoubt;
        int processed;

        void add(Expected other) {
            ended += other.ended;
            committed += other.committed;
            inDoubt += other.inDoubt;
            processed += other.processed;
        }
    }
}
