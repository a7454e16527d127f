package io.github.kafkatxn.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whenever another thread closes the producer: what was reported as committed is visible, what is visible was reported
 * as committed or as in doubt, and each transaction that began is told to have ended once. Scenario C29 (a), (b), (f).
 */
public abstract class CloseRaceContract extends ProducerContract {
    private static final int ROUNDS = 12;

    /** For subclasses. */
    protected CloseRaceContract() {}

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = 20_260_131)
    void resultsHoldWhenAnotherThreadCloses(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String out = topic("out");
        List<String> committed = new ArrayList<>();
        List<String> inDoubt = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            Balance balance = new Balance();
            TransactionalProducer<String, String> producer = ready(settings().listener(balance));
            long delay = random.nextLong(TimeUnit.MILLISECONDS.toNanos(60));

            CompletableFuture<TxnResult<Duration>> closed = CompletableFuture.supplyAsync(() -> {
                spin(delay);
                return producer.close(Duration.ofSeconds(30));
            });
            commitUntilClosed(producer, out, "round " + round, committed, inDoubt);

            assertThat(closed.orTimeout(40, TimeUnit.SECONDS).join().orElseThrow())
                    .as("close in round %s", round)
                    .isLessThan(Duration.ofSeconds(15));
            assertThat(balance.open)
                    .as("begun and not ended in round %s", round)
                    .hasValue(0);
            assertThat(balance.endedBeforeBegun)
                    .as("an end told before its begin in round %s", round)
                    .isFalse();
        }
        List<String> visible = new ArrayList<>(probe().committedValues(out));
        assertThat(visible).doesNotHaveDuplicates().containsAll(committed);
        visible.removeAll(committed);
        assertThat(inDoubt).as("what may be visible").containsAll(visible);
    }

    /** The listeners in front may take their time: those behind them hear of the begin before they hear of the end. */
    @Test
    void aCloseInTheMiddleOfABeginIsNotToldFirst() {
        List<String> told = new CopyOnWriteArrayList<>();
        AtomicReference<@Nullable TransactionalProducer<String, String>> made = new AtomicReference<>();
        TransactionListener closing = new TransactionListener() {
            @Override
            public void onBegin(String transactionalId) {
                CompletableFuture.runAsync(
                                () -> Objects.requireNonNull(made.get()).close(Duration.ofSeconds(30)))
                        .orTimeout(40, TimeUnit.SECONDS)
                        .join();
            }
        };
        TransactionListener behind = new TransactionListener() {
            @Override
            public void onBegin(String transactionalId) {
                told.add("begin");
            }

            @Override
            public void onEnd(
                    String transactionalId, Outcome outcome, TransactionStats stats, Optional<TxnError> error) {
                told.add("end");
            }
        };
        TransactionalProducer<String, String> producer =
                ready(settings().listener(closing).listener(behind));
        made.set(producer);
        TxnResult<Transaction<String, String>> begun = producer.beginTransaction();

        assertThat(begun.action()).hasValue(Action.RECREATE);
        assertThat(told).containsExactly("begin", "end");
    }

    private static void commitUntilClosed(
            TransactionalProducer<String, String> producer,
            String out,
            String round,
            List<String> committed,
            List<String> inDoubt) {
        for (int i = 0; ; i++) {
            String value = round + " record " + i;
            TxnResult<Transaction<String, String>> begun = producer.beginTransaction();
            if (!begun.isSuccess()) {
                assertThat(begun.action()).hasValue(Action.RECREATE);
                return;
            }
            var sent = begun.orElseThrow().send(new ProducerRecord<>(out, value));
            TxnResult<TransactionStats> commit = begun.orElseThrow().commit();
            if (commit.isSuccess()) {
                assertThat(sent).isDone();
                committed.add(value);
            } else {
                assertThat(commit.action()).as(commit.toString()).hasValue(Action.RECREATE);
                if (commit.error().orElseThrow().inDoubt()) {
                    inDoubt.add(value);
                }
            }
        }
    }

    private static void spin(long nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    /** How many transactions have begun and not ended, and whether one did so in the wrong order. */
    private static final class Balance implements TransactionListener {
        final AtomicInteger open = new AtomicInteger();
        final AtomicBoolean endedBeforeBegun = new AtomicBoolean();

        @Override
        public void onBegin(String transactionalId) {
            open.incrementAndGet();
        }

        @Override
        public void onEnd(String transactionalId, Outcome outcome, TransactionStats stats, Optional<TxnError> error) {
            if (open.decrementAndGet() < 0) {
                endedBeforeBegun.set(true);
            }
        }
    }
}
