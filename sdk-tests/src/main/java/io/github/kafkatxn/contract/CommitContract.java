package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.Calls.error;
import static io.github.kafkatxn.contract.Calls.groupMetadata;
import static io.github.kafkatxn.contract.Calls.isWaitingIn;
import static io.github.kafkatxn.contract.Calls.refusal;
import static io.github.kafkatxn.contract.Calls.settled;
import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.contract.KafkaTarget.KeptAnswers;
import io.github.kafkatxn.contract.KafkaTarget.Line;
import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

/**
 * A commit makes everything visible or nothing, says success only for what is decided, and never hides that it does not
 * know. Scenarios C01, C09, C10, C43.
 */
public abstract class CommitContract extends ProducerContract {

    /** For subclasses. */
    protected CommitContract() {}

    @Test
    void recordsAndOffsetsBecomeVisibleTogether() {
        String out = topic("out");
        TopicPartition in = new TopicPartition(topic("in"), 0);
        String group = unique("group");
        TransactionalProducer<String, String> producer = ready(settings());

        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");
        transaction
                .sendOffsetsToTransaction(Map.of(in, new OffsetAndMetadata(7)), groupMetadata(group, -1, ""))
                .orElseThrow();
        assertThat(probe().isOpen(out)).as("open before the commit").isTrue();
        assertThat(probe().committedOffset(group, in)).isEmpty();
        TransactionStats stats = transaction.commit().orElseThrow();

        assertThat(stats.records()).isEqualTo(1);
        assertThat(stats.offsets()).isEqualTo(1);
        assertThat(probe().committedValues(out)).containsExactly("a");
        eventually("the committed offset")
                .untilAsserted(
                        () -> assertThat(probe().committedOffset(group, in)).hasValue(7));
    }

    @Test
    void abortedRecordsAndOffsetsAreNeverVisible() {
        String out = topic("out");
        TopicPartition in = new TopicPartition(topic("in"), 0);
        String group = unique("group");
        TransactionalProducer<String, String> producer = ready(settings());

        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");
        transaction
                .sendOffsetsToTransaction(Map.of(in, new OffsetAndMetadata(7)), groupMetadata(group, -1, ""))
                .orElseThrow();
        transaction.abort().orElseThrow();
        Transaction<String, String> next = producer.beginTransaction().orElseThrow();
        deliver(next, out, "b");
        next.commit().orElseThrow();

        assertThat(probe().committedValues(out)).containsExactly("b");
        assertThat(probe().committedOffset(group, in)).isEmpty();
    }

    @Test
    void transactionsWithoutAnythingInThemEndEitherWay() {
        TransactionalProducer<String, String> producer = ready(settings());

        producer.beginTransaction().orElseThrow().commit().orElseThrow();
        producer.beginTransaction().orElseThrow().abort().orElseThrow();
        producer.beginTransaction().orElseThrow().commit().orElseThrow();

        assertGoesOn(producer);
    }

    @Test
    void transactionsFollowEachOtherWithoutAPause() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings());

        for (String value : new String[] {"a", "b", "c", "d", "e"}) {
            Transaction<String, String> transaction =
                    producer.beginTransaction().orElseThrow();
            deliver(transaction, out, value);
            transaction.commit().orElseThrow();
        }

        assertThat(probe().committedValues(out)).containsExactly("a", "b", "c", "d", "e");
    }

    /** C01: after a commit without an answer, only the same commit may follow, and it tells how it went. */
    @Test
    void onlyACommitMayFollowACommitThatWasNotAnswered() {
        String out = topic("out");
        List<TxnError> told = new ArrayList<>();
        TransactionalProducer<String, String> producer = ready(impatient().listener(new TransactionListener() {
            @Override
            public void onInDoubt(String transactionalId, TxnError error) {
                told.add(error);
            }
        }));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");

        try (Pause pause = pauseBrokers()) {
            TxnError unanswered = error(transaction.commit());
            assertThat(unanswered.action()).isEqualTo(Action.RETRY_CALL);
            assertThat(unanswered.inDoubt()).isTrue();
            assertThat(told).containsExactly(unanswered);

            assertRefusedInDoubt(error(transaction.abort()));
            assertRefusedInDoubt(error(producer.beginTransaction()));
            assertRefusedInDoubt(refusal(transaction.send(new ProducerRecord<>(out, "b"))));
            assertRefusedInDoubt(error(transaction.sendOffsetsToTransaction(
                    Map.of(new TopicPartition("in", 0), new OffsetAndMetadata(1)), groupMetadata("g", -1, ""))));
            pause.end();
        }

        assertThat(settled(transaction::commit).isSuccess()).isTrue();
        assertThat(probe().committedValues(out)).containsExactly("a");
        assertGoesOn(producer);
    }

    /** C01: giving up a commit in doubt, a new producer settles it, and the committed offsets tell which way. */
    @Test
    void aNewProducerSettlesACommitInDoubt() {
        Pair pair = new Pair();
        TransactionalProducer<String, String> producer = ready(impatient());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        pair.sendIn(transaction);

        try (Pause pause = pauseBrokers()) {
            assertThat(error(transaction.commit()).inDoubt()).isTrue();
            pause.end();
        }
        TransactionalProducer<String, String> next = recreate(producer);

        pair.assertOneOutcome();
        assertThat(error(transaction.commit()).action()).isEqualTo(Action.RECREATE);
        assertGoesOn(next);
    }

    /** C01 (d): the broker has committed and its answer is lost; the new producer does not undo that. */
    @Test
    void aNewProducerLeavesACommitThatIsDoneAsItIs() {
        Pair pair = new Pair();
        String clientId = unique("client");
        Line line = line();
        ProducerSettings.Builder settings =
                impatient().closeTimeout(Duration.ofSeconds(1)).property("client.id", clientId);
        TransactionalProducer<String, String> producer = ready(settings.properties(line.clientConfig()));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        pair.sendIn(transaction);

        TransactionalProducer<String, String> next;
        try (KeptAnswers answers = line.keepAnswers(ApiKeys.END_TXN, clientId)) {
            assertThat(error(transaction.commit()).inDoubt()).isTrue();
            answers.await();
            next = recreate(producer);
        }

        pair.assertCommitted();
        assertThat(error(transaction.commit()).action()).isEqualTo(Action.RECREATE);
        assertGoesOn(next);
    }

    /** C09: a transaction that the broker has aborted is never reported as committed. */
    @Test
    void aTransactionThatTimedOutIsNotReportedAsCommitted() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(shortTransactions());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");
        probe().awaitNothingOpen(out);

        TxnError error = error(transaction.commit());

        assertThat(error.action()).isIn(Action.RECREATE, Action.ABORT_AND_REPLAY);
        assertThat(probe().committedValues(out)).isEmpty();
        assertGoesOn(follow(producer, transaction, error));
    }

    /** C10: the flag is set before commit. */
    @Test
    void anInterruptBeforeCommitDoesNotStopIt() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        Future<RecordMetadata> sent = transaction.send(new ProducerRecord<>(out, "a"));

        Thread.currentThread().interrupt();
        boolean committed = transaction.commit().isSuccess();

        assertThat(Thread.interrupted()).as("interrupt flag afterwards").isTrue();
        assertThat(committed).isTrue();
        assertThat(sent).isDone();
        assertThat(probe().committedValues(out)).containsExactly("a");
    }

    /** C10: the interrupt comes while commit waits for its answer. */
    @Test
    void anInterruptWhileCommitWaitsDoesNotStopIt() throws InterruptedException {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");
        Thread owner = Thread.currentThread();

        try (Pause pause = pauseBrokers()) {
            Thread interrupter = new Thread(() -> {
                eventually("a commit that waits").until(() -> isWaitingIn(owner, "commitTransaction"));
                owner.interrupt();
                // It is taken and the commit waits on.
                eventually("a commit that waits on")
                        .until(() -> !owner.isInterrupted() && isWaitingIn(owner, "commitTransaction"));
                pause.end();
            });
            interrupter.start();
            boolean committed = transaction.commit().isSuccess();
            assertThat(Thread.interrupted()).as("interrupt flag afterwards").isTrue();
            interrupter.join(Duration.ofSeconds(10).toMillis());
            assertThat(committed).isTrue();
        }
        assertThat(probe().committedValues(out)).containsExactly("a");
        assertGoesOn(producer);
    }

    /** C10 for the other calls that wait. */
    @Test
    void anInterruptStopsNeitherOffsetsNorAbort() {
        String out = topic("out");
        TopicPartition in = new TopicPartition(topic("in"), 0);
        String group = unique("group");
        TransactionalProducer<String, String> producer = create(settings());

        Thread.currentThread().interrupt();
        assertThat(producer.init().isSuccess()).isTrue();
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        assertThat(transaction
                        .sendOffsetsToTransaction(Map.of(in, new OffsetAndMetadata(7)), groupMetadata(group, -1, ""))
                        .isSuccess())
                .isTrue();
        assertThat(transaction.abort().isSuccess()).isTrue();
        Transaction<String, String> next = producer.beginTransaction().orElseThrow();
        assertThat(Thread.interrupted()).as("interrupt flag afterwards").isTrue();
        deliver(next, out, "b");
        next.commit().orElseThrow();

        assertThat(probe().committedValues(out)).containsExactly("b");
        assertThat(probe().committedOffset(group, in)).isEmpty();
    }

    private static void assertRefusedInDoubt(TxnError refusal) {
        assertThat(refusal.action()).isEqualTo(Action.RECREATE);
        assertThat(refusal.inDoubt()).isTrue();
        assertThat(refusal.message()).contains("repeat commit");
    }
}
