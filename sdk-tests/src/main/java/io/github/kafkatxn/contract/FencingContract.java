package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.Calls.error;
import static io.github.kafkatxn.contract.Calls.failure;
import static io.github.kafkatxn.contract.Calls.groupMetadata;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * A producer that was replaced, or whose transaction was aborted by its timeout, says so, shows nothing of what it had
 * open, and its transactional id goes on with one new producer. Scenarios C04 (b) and (c), C07.
 */
public abstract class FencingContract extends ProducerContract {

    /** For subclasses. */
    protected FencingContract() {}

    @Test
    void aReplacedProducerLearnsItWhenItSends() {
        String out = topic("out");
        ProducerSettings.Builder settings = settings();
        TransactionalProducer<String, String> first = ready(settings);
        Transaction<String, String> transaction = first.beginTransaction().orElseThrow();
        deliver(transaction, out, "first");
        TransactionalProducer<String, String> second = ready(settings);

        assertThat(failure(transaction.send(new ProducerRecord<>(out, "late")))).isPresent();
        TxnError commit = error(transaction.commit());
        assertThat(commit.action()).isIn(Action.ABORT_AND_REPLAY, Action.RECREATE);
        TxnResult<TransactionStats> abort = transaction.abort();

        assertThat(probe().committedValues(out)).isEmpty();
        assertGoesOn(second);
        assertOnlyRecreateHelps(first, abort);
    }

    /** C07: what went wrong first stays the cause, and that the abort failed too hangs on it. */
    @Test
    void aFailedAbortKeepsTheFirstCause() {
        String out = topic("out");
        ProducerSettings.Builder settings = settings();
        TransactionalProducer<String, String> first = ready(settings);
        Transaction<String, String> transaction = first.beginTransaction().orElseThrow();
        deliver(transaction, out, "first");
        ready(settings);
        failure(transaction.send(new ProducerRecord<>(out, "late")));
        Throwable cause = error(transaction.commit()).cause();

        TxnError abort = error(transaction.abort());

        assertThat(abort.cause()).isSameAs(cause);
        assertThat(abort.cause().getSuppressed()).isNotEmpty();
        assertThat(error(transaction.abort()).action())
                .as("a failed abort is not repeated")
                .isEqualTo(Action.RECREATE);
    }

    @Test
    void aReplacedProducerLearnsItWhenItCommits() {
        String out = topic("out");
        ProducerSettings.Builder settings = settings();
        TransactionalProducer<String, String> first = ready(settings);
        Transaction<String, String> transaction = first.beginTransaction().orElseThrow();
        deliver(transaction, out, "first");
        TransactionalProducer<String, String> second = ready(settings);

        TxnResult<TransactionStats> commit = transaction.commit();

        assertThat(probe().committedValues(out)).isEmpty();
        assertGoesOn(second);
        assertOnlyRecreateHelps(first, commit);
    }

    @Test
    void aReplacedProducerLearnsItWhenItSendsOffsets() {
        String out = topic("out");
        TopicPartition in = new TopicPartition(topic("in"), 0);
        String group = unique("group");
        ProducerSettings.Builder settings = settings();
        TransactionalProducer<String, String> first = ready(settings);
        Transaction<String, String> transaction = first.beginTransaction().orElseThrow();
        deliver(transaction, out, "first");
        ready(settings);

        TxnError error = error(transaction.sendOffsetsToTransaction(
                Map.of(in, new OffsetAndMetadata(1)), groupMetadata(group, -1, "")));

        assertThat(error.action()).isEqualTo(Action.RECREATE);
        assertThat(error(transaction.commit())).as("commit after that").isEqualTo(error);
        assertOnlyRecreateHelps(first, transaction.abort());
        assertThat(probe().committedValues(out)).isEmpty();
        assertThat(probe().committedOffset(group, in)).isEmpty();
    }

    /** C04: an old epoch may come from the producer's own timeout; the abort decides, and either way it goes on. */
    @Test
    void afterItsOwnTimeoutTheAbortDecidesHowToGoOn() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(shortTransactions());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "early");
        probe().awaitNothingOpen(out);

        assertThat(failure(transaction.send(new ProducerRecord<>(out, "late")))).isPresent();
        TxnError error = error(transaction.commit());

        assertThat(error.action()).isIn(Action.ABORT_AND_REPLAY, Action.RECREATE);
        TransactionalProducer<String, String> next = follow(producer, transaction, error);
        assertThat(probe().committedValues(out)).isEmpty();
        assertGoesOn(next);
    }

    @Test
    void afterItsOwnTimeoutOffsetsAreRefused() {
        String out = topic("out");
        TopicPartition in = new TopicPartition(topic("in"), 0);
        String group = unique("group");
        TransactionalProducer<String, String> producer = ready(shortTransactions());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "early");
        probe().awaitNothingOpen(out);

        TxnError error = error(transaction.sendOffsetsToTransaction(
                Map.of(in, new OffsetAndMetadata(1)), groupMetadata(group, -1, "")));
        TransactionalProducer<String, String> next = follow(producer, transaction, error);

        assertThat(probe().committedValues(out)).isEmpty();
        assertThat(probe().committedOffset(group, in)).isEmpty();
        assertGoesOn(next);
    }

    /** What a crashed instance left open ends with the init of the next one, long before its timeout. */
    @Test
    void initEndsWhatAnotherInstanceLeftOpen() {
        String out = topic("out");
        ProducerSettings.Builder settings = settings();
        TransactionalProducer<String, String> crashed = ready(settings);
        deliver(crashed.beginTransaction().orElseThrow(), out, "left");
        assertThat(probe().isOpen(out)).isTrue();

        TransactionalProducer<String, String> next = ready(settings);

        assertThat(probe().committedValues(out)).isEmpty();
        assertGoesOn(next);
    }
}
