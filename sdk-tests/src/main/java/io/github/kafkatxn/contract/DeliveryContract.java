package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.Calls.error;
import static io.github.kafkatxn.contract.Calls.failure;
import static io.github.kafkatxn.contract.Calls.refusal;
import static io.github.kafkatxn.contract.Calls.settled;
import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

/**
 * A record that is not delivered in time fails its transaction for good: what the broker takes late is never visible,
 * and the caller never sends it again in the same transaction. Scenarios C02 (a) and (d), C26 (a).
 */
public abstract class DeliveryContract extends ProducerContract {

    /** For subclasses. */
    protected DeliveryContract() {}

    /** C26 (a): the broker has the record in its socket, times out for the client, and appends it afterwards. */
    @Test
    void aRecordThatWasAppendedTooLateIsNotVisible() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(quickDelivery());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "first");
        long before = probe().logEnd(out);

        TxnError error;
        try (Pause pause = pauseBrokers()) {
            Throwable late =
                    failure(transaction.send(new ProducerRecord<>(out, "late"))).orElseThrow();
            assertThat(late).isInstanceOf(TimeoutException.class);
            error = error(transaction.commit());
            assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
            assertThat(error(transaction.commit())).as("a second commit").isEqualTo(error);
            assertThat(refusal(transaction.send(new ProducerRecord<>(out, "again"))))
                    .isEqualTo(error);
            pause.end();
        }
        TransactionalProducer<String, String> next = goingOn(follow(producer, transaction, error));

        // The late record and the marker of the abort.
        eventually("the late record").until(() -> probe().logEnd(out) >= before + 2);
        Transaction<String, String> replay = next.beginTransaction().orElseThrow();
        deliver(replay, out, "replayed");
        replay.commit().orElseThrow();
        assertThat(probe().committedValues(out)).containsExactly("replayed");
    }

    /** C02 (a): the timeout is first seen by commit, which waits for the delivery itself. */
    @Test
    void commitSaysThatARecordWasNotDelivered() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(quickDelivery());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "first");

        Future<RecordMetadata> sent;
        TxnError error;
        try (Pause pause = pauseBrokers()) {
            sent = transaction.send(new ProducerRecord<>(out, "late"));
            error = error(transaction.commit());
            pause.end();
        }

        assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
        assertThat(error.inDoubt()).isFalse();
        assertThat(failure(sent)).containsInstanceOf(TimeoutException.class);
        assertGoesOn(goingOn(follow(producer, transaction, error)));
        assertThat(probe().committedValues(out)).isEmpty();
    }

    /** Commit's own time is over before the delivery's: nothing has been asked for, so nothing is in doubt. */
    @Test
    void aFlushThatTakesTooLongFailsTheTransaction() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(impatient());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "first");

        Future<RecordMetadata> sent;
        TxnError error;
        try (Pause pause = pauseBrokers()) {
            sent = transaction.send(new ProducerRecord<>(out, "slow"));
            error = error(transaction.commit());
            TxnResult<TransactionStats> abort = transaction.abort();
            assertThat(error(abort).action()).as("abort without an answer").isEqualTo(Action.RETRY_CALL);
            assertThat(error(transaction.commit()).action())
                    .as("commit after an abort without an answer")
                    .isEqualTo(Action.RECREATE);
            pause.end();
        }

        assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
        assertThat(error.inDoubt()).isFalse();
        assertThat(error.message()).contains("not delivered within");
        assertThat(settled(transaction::abort).isSuccess()).isTrue();
        assertThat(sent).isDone();
        assertGoesOn(producer);
        assertThat(probe().committedValues(out)).isEmpty();
    }

    /** A topic that is not there: the wait for it is bounded, and it is not sent when it appears. */
    @Test
    void aRecordForATopicThatIsNotThereFailsTheTransaction() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings().property("max.block.ms", 500));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "first");

        assertThat(failure(transaction.send(new ProducerRecord<>(unique("missing"), "a"))))
                .containsInstanceOf(TimeoutException.class);

        TxnError error = error(transaction.commit());
        assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
        assertGoesOn(follow(producer, transaction, error));
        assertThat(probe().committedValues(out)).isEmpty();
    }

    /** With transaction version 1 the client is lost if it gives the record up while it aborts already. */
    private TransactionalProducer<String, String> goingOn(TransactionalProducer<String, String> producer) {
        TxnResult<Transaction<String, String>> begun = producer.beginTransaction();
        if (target().transactionVersion() < 2 && !begun.isSuccess()) {
            assertThat(error(begun).action()).isEqualTo(Action.RECREATE);
            return recreate(producer);
        }
        begun.orElseThrow().abort().orElseThrow();
        return producer;
    }

    private ProducerSettings.Builder quickDelivery() {
        return settings().property("delivery.timeout.ms", 1_000).property("request.timeout.ms", 900);
    }
}
