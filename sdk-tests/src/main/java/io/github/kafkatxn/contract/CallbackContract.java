package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.Calls.error;
import static io.github.kafkatxn.contract.Calls.failure;
import static io.github.kafkatxn.contract.Calls.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Test;

/**
 * A send callback can neither hide a failure nor hold a transaction: what it throws fails the transaction, what it
 * calls is refused, and if it blocks, every call still ends. Scenario C27.
 */
public abstract class CallbackContract extends ProducerContract {

    /** For subclasses. */
    protected CallbackContract() {}

    @Test
    void callbacksRunOnceForEveryRecord() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        AtomicInteger called = new AtomicInteger();

        Future<RecordMetadata> sent =
                transaction.send(new ProducerRecord<>(out, "a"), (metadata, exception) -> called.incrementAndGet());
        assertThat(failure(sent)).isEmpty();
        transaction.commit().orElseThrow();

        assertThat(called).hasValue(1);
    }

    /** The failure counts, not what the callback made of it. */
    @Test
    void aCallbackThatThrowsDoesNotHideTheFailedRecord() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings().property("max.request.size", 2_000));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "small");

        assertThat(failure(transaction.send(new ProducerRecord<>(out, "x".repeat(5_000)), (metadata, exception) -> {
                    throw new IllegalStateException("from the callback");
                })))
                .isPresent();
        TxnError error = error(transaction.commit());

        assertThat(error.cause()).isInstanceOf(RecordTooLargeException.class);
        transaction.abort().orElseThrow();
        assertThat(probe().committedValues(out)).isEmpty();
        assertGoesOn(producer);
    }

    @Test
    void aCallbackThatThrowsFailsTheTransaction() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();

        Future<RecordMetadata> sent = transaction.send(new ProducerRecord<>(out, "a"), (metadata, exception) -> {
            throw new AssertionError("from the callback");
        });
        TxnError error = error(transaction.commit());

        assertThat(sent).isDone();
        assertThat(error.cause()).hasRootCauseMessage("from the callback");
        assertThat(transaction.abort().isSuccess()).isTrue();
        assertThat(probe().committedValues(out)).isEmpty();
        assertGoesOn(producer);
    }

    /** On the client's I/O thread. */
    @Test
    void callsFromACallbackAreRefusedAndHarmNothing() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        List<TxnError> refused = new ArrayList<>();

        Future<RecordMetadata> sent = transaction.send(
                new ProducerRecord<>(out, "a"),
                (metadata, exception) -> callEverything(producer, transaction, refused));
        assertThat(failure(sent)).isEmpty();
        transaction.commit().orElseThrow();

        assertRefused(refused);
        assertThat(probe().committedValues(out)).containsExactly("a");
        assertGoesOn(producer);
    }

    /** On the owner's own thread, where a record is refused at once. */
    @Test
    void callsFromACallbackOnTheOwnersThreadAreRefused() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings().property("max.request.size", 2_000));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        List<TxnError> refused = new ArrayList<>();

        Future<RecordMetadata> sent = transaction.send(
                new ProducerRecord<>(out, "x".repeat(5_000)),
                (metadata, exception) -> callEverything(producer, transaction, refused));

        assertThat(failure(sent)).isPresent();
        assertRefused(refused);
        transaction.abort().orElseThrow();
        assertGoesOn(producer);
    }

    /** Two threads run callbacks of one producer at the same time; the owner is not taken for one afterwards. */
    @Test
    void aCallbackOnAnotherThreadDoesNotLockTheOwnerOut() throws InterruptedException {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings().property("max.request.size", 2_000));
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch mayLeave = new CountDownLatch(1);

        Future<RecordMetadata> small = transaction.send(new ProducerRecord<>(out, "a"), (metadata, exception) -> {
            entered.countDown();
            awaitQuietly(mayLeave);
        });
        entered.await();
        Future<RecordMetadata> large = transaction.send(
                new ProducerRecord<>(out, "x".repeat(5_000)), (metadata, exception) -> mayLeave.countDown());

        assertThat(failure(small)).isEmpty();
        assertThat(failure(large)).isPresent();
        assertThat(transaction.abort().isSuccess()).isTrue();
        assertGoesOn(producer);
    }

    /** Commit, abort and close end although the client's I/O thread is stuck in the callback. */
    @Test
    void aCallbackThatBlocksHoldsNoCall() throws InterruptedException {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(impatient());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch mayLeave = new CountDownLatch(1);
        try {
            Future<RecordMetadata> sent = transaction.send(new ProducerRecord<>(out, "a"), (metadata, exception) -> {
                entered.countDown();
                awaitQuietly(mayLeave);
            });
            entered.await();

            TxnError commit = error(transaction.commit());
            assertThat(commit.action()).isEqualTo(Action.ABORT_AND_REPLAY);
            assertThat(error(transaction.abort()).action()).isEqualTo(Action.RETRY_CALL);
            TxnError close = error(producer.close(Duration.ofSeconds(1)));
            assertThat(close.message()).contains("callback");
            assertThat(Thread.interrupted()).as("interrupt flag afterwards").isFalse();
            mayLeave.countDown();
            assertThat(failure(sent)).as("the record itself").isEmpty();
        } finally {
            mayLeave.countDown();
        }
        assertGoesOn(recreate(producer));
        assertThat(probe().committedValues(out)).isEmpty();
    }

    /** A callback of an earlier transaction that comes late says nothing about the next one. */
    @Test
    void aCallbackOfAnEarlierTransactionDoesNotTouchTheNext() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings());
        Transaction<String, String> first = producer.beginTransaction().orElseThrow();
        Future<RecordMetadata> sent = first.send(new ProducerRecord<>(out, "a"), (metadata, exception) -> {
            throw new IllegalStateException("from the callback of " + metadata.topic());
        });
        first.abort().orElseThrow();
        assertThat(sent).isDone();
        assertThat(first.failure()).isPresent();

        Transaction<String, String> next = producer.beginTransaction().orElseThrow();
        deliver(next, out, "b");
        assertThat(next.failure()).isEmpty();
        next.commit().orElseThrow();

        assertThat(probe().committedValues(out)).containsExactly("b");
    }

    private static void callEverything(
            TransactionalProducer<String, String> producer,
            Transaction<String, String> transaction,
            List<TxnError> refused) {
        refused.add(error(transaction.commit()));
        refused.add(error(transaction.abort()));
        refused.add(refusal(transaction.send(new ProducerRecord<>("any", "b"))));
        refused.add(error(producer.beginTransaction()));
        refused.add(error(producer.recreate()));
        refused.add(error(producer.close(Duration.ofSeconds(1))));
    }

    private static void assertRefused(List<TxnError> refused) {
        assertThat(refused).hasSize(6).allSatisfy(error -> {
            assertThat(error.action()).isEqualTo(Action.STOP);
            assertThat(error.message()).contains("called from a send callback");
        });
    }

    private static void awaitQuietly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
