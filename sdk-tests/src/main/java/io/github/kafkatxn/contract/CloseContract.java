package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.Calls.error;
import static io.github.kafkatxn.contract.Calls.groupMetadata;
import static io.github.kafkatxn.contract.Calls.refusal;
import static io.github.kafkatxn.contract.Calls.whileThisThreadWaitsIn;
import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * Close ends in its time in every state, aborts what is open, and never turns a commit that was asked for into an
 * abort. Scenario C29 (a)-(f).
 */
public abstract class CloseContract extends ProducerContract {
    /** Where nobody answers. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    /** Where somebody does, on a busy machine too. */
    private static final Duration ENOUGH = Duration.ofSeconds(20);

    /** For subclasses. */
    protected CloseContract() {}

    /** C29 (e): a reader is not blocked until the transaction times out. */
    @Test
    void closeAbortsAnOpenTransaction() {
        String out = topic("out");
        Ends ends = new Ends();
        TransactionalProducer<String, String> producer = ready(settings().listener(ends));
        deliver(producer.beginTransaction().orElseThrow(), out, "a");
        assertThat(probe().isOpen(out)).isTrue();

        assertThat(producer.close(ENOUGH).isSuccess()).isTrue();

        assertThat(probe().committedValues(out)).isEmpty();
        assertThat(ends.outcomes).containsExactly(TransactionListener.Outcome.ABORTED);
    }

    /** C29 (e): also what was not delivered yet. */
    @Test
    void closeAbortsWhatIsStillBeingSent() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings().property("linger.ms", 2_000));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        var sent = transaction.send(new ProducerRecord<>(out, "a"));

        assertThat(producer.close(ENOUGH).isSuccess()).isTrue();

        assertThat(sent).isDone();
        assertThat(probe().committedValues(out)).isEmpty();
    }

    /** A transaction in which nothing was sent is no reason to wait. */
    @Test
    void closeDoesNotWaitForAnEmptyTransaction() {
        Ends ends = new Ends();
        TransactionalProducer<String, String> producer = ready(settings().listener(ends));
        producer.beginTransaction().orElseThrow();

        assertThat(producer.close(Duration.ofSeconds(30)).orElseThrow()).isLessThan(Duration.ofSeconds(15));

        assertThat(ends.outcomes).containsExactly(TransactionListener.Outcome.ABORTED);
    }

    /** C29 (f). */
    @Test
    void closeMayBeRepeatedAndInterrupted() {
        TransactionalProducer<String, String> producer = ready(settings());

        Thread.currentThread().interrupt();
        assertThat(producer.close(ENOUGH).isSuccess()).isTrue();
        assertThat(Thread.interrupted()).as("interrupt flag afterwards").isTrue();

        assertThat(producer.close(ENOUGH).isSuccess()).isTrue();
        assertThat(create(settings()).close(ENOUGH).isSuccess())
                .as("before init")
                .isTrue();
    }

    /** C29 (a): the owner works on a batch. */
    @Test
    void closeFromAnotherThreadAbortsAndTheOwnerIsTold() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");

        CompletableFuture.runAsync(producer::close)
                .orTimeout(20, TimeUnit.SECONDS)
                .join();

        assertThat(refusal(transaction.send(new ProducerRecord<>(out, "b"))).action())
                .isEqualTo(Action.RECREATE);
        TxnError commit = error(transaction.commit());
        assertThat(commit.action()).isEqualTo(Action.RECREATE);
        assertThat(commit.inDoubt()).isFalse();
        assertThat(probe().committedValues(out)).isEmpty();
    }

    /** C29 (b), with an answer that still comes. */
    @Test
    void closeWaitsForACommitThatWasAskedFor() {
        String out = topic("out");
        Ends ends = new Ends();
        TransactionalProducer<String, String> producer = ready(settings().listener(ends));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");

        CompletableFuture<TxnResult<Duration>> closed;
        TxnResult<TransactionStats> commit;
        try (Pause pause = pauseBrokers()) {
            closed = whileThisThreadWaitsIn("commitTransaction", () -> {
                CompletableFuture<TxnResult<Duration>> closing =
                        CompletableFuture.supplyAsync(() -> producer.close(ENOUGH));
                eventually("a closed producer")
                        .until(() ->
                                error(producer.beginTransaction()).message().contains("closed"));
                pause.end();
                return closing;
            });
            commit = transaction.commit();
        }

        assertThat(closed.orTimeout(20, TimeUnit.SECONDS).join().isSuccess()).isTrue();
        assertThat(commit.isSuccess()).as(commit.toString()).isTrue();
        assertThat(probe().committedValues(out)).containsExactly("a");
        assertThat(ends.outcomes).containsExactly(TransactionListener.Outcome.COMMITTED);
    }

    /** C29 (b), without an answer: it may have gone through. */
    @Test
    void aCommitThatCloseGivesUpIsInDoubt() {
        Pair pair = new Pair();
        Ends ends = new Ends();
        TransactionalProducer<String, String> producer = ready(settings().listener(ends));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        pair.sendIn(transaction);

        CompletableFuture<TxnResult<Duration>> closed;
        TxnError commit;
        try (Pause pause = pauseBrokers()) {
            closed = whileThisThreadWaitsIn(
                    "commitTransaction", () -> CompletableFuture.supplyAsync(() -> producer.close(SHORT)));
            commit = error(transaction.commit());
            closed.orTimeout(20, TimeUnit.SECONDS).join();
            pause.end();
        }

        assertThat(commit.action()).isEqualTo(Action.RECREATE);
        assertThat(commit.inDoubt()).as(commit.message()).isTrue();
        assertThat(ends.outcomes).containsExactly(TransactionListener.Outcome.ABANDONED);
        TransactionalProducer<String, String> next = recreate(producer);
        pair.assertOneOutcome();
        assertGoesOn(next);
    }

    /** C29 (b), after the caller has had the result in doubt: the commit goes through in the time of the close. */
    @Test
    void closeDoesNotAbortACommitInDoubt() {
        String out = topic("out");
        Ends ends = new Ends();
        TransactionalProducer<String, String> producer = ready(impatient().listener(ends));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");
        try (Pause pause = pauseBrokers()) {
            assertThat(error(transaction.commit()).inDoubt()).isTrue();
            pause.end();
        }

        assertThat(producer.close(ENOUGH).isSuccess()).isTrue();

        assertThat(probe().committedValues(out)).containsExactly("a");
        assertThat(ends.outcomes).containsExactly(TransactionListener.Outcome.ABANDONED);
    }

    /** C29 (a): the owner waits for records to be delivered. */
    @Test
    void closeEndsAFlushOfTheOwner() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings().callTimeout(Duration.ofSeconds(30)));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");

        TxnError commit;
        try (Pause pause = pauseBrokers()) {
            var sent = transaction.send(new ProducerRecord<>(out, "b"));
            CompletableFuture<TxnResult<Duration>> closed =
                    whileThisThreadWaitsIn("flush", () -> CompletableFuture.supplyAsync(() -> producer.close(SHORT)));
            commit = error(transaction.commit());
            closed.orTimeout(20, TimeUnit.SECONDS).join();
            assertThat(sent).isDone();
            pause.end();
        }

        assertThat(commit.action()).isEqualTo(Action.RECREATE);
        assertThat(commit.inDoubt()).as(commit.message()).isFalse();
        assertGoesOn(recreate(producer));
        assertThat(probe().committedValues(out)).isEmpty();
    }

    /** C29 (c): nobody answers. */
    @Test
    void closeEndsWithoutAnAnswer() {
        String out = topic("out");
        Ends ends = new Ends();
        TransactionalProducer<String, String> producer = ready(impatient().listener(ends));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");
        // A usage error, so that the transaction has to be aborted.
        TxnResult<?> poisoned = transaction.sendOffsetsToTransaction(
                Map.of(new TopicPartition("in", 0), new OffsetAndMetadata(1)), groupMetadata("g", 3, ""));
        assertThat(poisoned.isSuccess()).isFalse();

        try (Pause pause = pauseBrokers()) {
            assertThat(producer.close(SHORT).isSuccess()).isTrue();
            assertThat(ends.outcomes).containsExactly(TransactionListener.Outcome.ABANDONED);
            pause.end();
        }

        TransactionalProducer<String, String> next = recreate(producer);
        assertThat(probe().committedValues(out)).isEmpty();
        assertGoesOn(next);
    }

    /** C29 (d). */
    @Test
    void closeOfAFinishedProducer() {
        String out = topic("out");
        Ends ends = new Ends();
        TransactionalProducer<String, String> producer = ready(settings().listener(ends));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");
        ready(producer.settings().toBuilder());
        assertThat(error(transaction.commit()).action()).isEqualTo(Action.RECREATE);

        assertThat(producer.close(ENOUGH).isSuccess()).isTrue();

        assertThat(ends.outcomes).containsExactly(TransactionListener.Outcome.ABANDONED);
        assertThat(probe().committedValues(out)).isEmpty();
    }

    /** C29 (c): an abort that was asked for and not answered is finished by close. */
    @Test
    void closeFinishesAnAbort() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(impatient());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");
        try (Pause pause = pauseBrokers()) {
            assertThat(error(transaction.abort()).action()).isEqualTo(Action.RETRY_CALL);
            pause.end();
        }

        assertThat(producer.close(ENOUGH).isSuccess()).isTrue();

        assertThat(probe().committedValues(out)).isEmpty();
    }

    /** How transactions ended. */
    private static final class Ends implements TransactionListener {
        final List<Outcome> outcomes = new CopyOnWriteArrayList<>();

        @Override
        public void onEnd(String transactionalId, Outcome outcome, TransactionStats stats, Optional<TxnError> error) {
            outcomes.add(outcome);
        }
    }
}
