package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.Calls.error;
import static io.github.kafkatxn.contract.Calls.groupMetadata;
import static io.github.kafkatxn.contract.Calls.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Calls that do not fit are refused at once, say what fits, and leave the open transaction unharmed. */
public abstract class UsageContract extends ProducerContract {
    private static final Map<TopicPartition, OffsetAndMetadata> OFFSETS =
            Map.of(new TopicPartition("in", 0), new OffsetAndMetadata(1));
    private static final ConsumerGroupMetadata GROUP = groupMetadata("group", -1, "");

    /** For subclasses. */
    protected UsageContract() {}

    @Test
    void beginComesAfterInit() {
        TransactionalProducer<String, String> producer = create(settings());

        assertThat(error(producer.beginTransaction()).message()).contains("init()");
        assertThat(producer.metrics()).isEmpty();
        assertThatIllegalStateException().isThrownBy(producer::retryEvents);

        producer.init().orElseThrow();
        assertThat(producer.metrics()).isNotEmpty();
        assertThat(producer.retryEvents()).isNotNull();
        assertThat(producer.init().isSuccess()).as("a second init").isTrue();
        assertGoesOn(producer);
    }

    @Test
    void aSecondTransactionIsRefusedWhileOneIsOpen() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");

        TxnError error = error(producer.beginTransaction());
        assertThat(error.action()).isEqualTo(Action.STOP);
        assertThat(error.message()).contains("a transaction is open");
        assertThat(error(producer.init()).message()).contains("a transaction is open");

        deliver(transaction, out, "b");
        transaction.commit().orElseThrow();
        assertThat(probe().committedValues(out)).containsExactly("a", "b");
    }

    @Test
    void aHandleIsDeadOnceItsTransactionHasEnded() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings());
        Transaction<String, String> stale = producer.beginTransaction().orElseThrow();
        stale.commit().orElseThrow();
        Transaction<String, String> open = producer.beginTransaction().orElseThrow();
        deliver(open, out, "a");

        for (TxnError error : everyCall(stale, out)) {
            assertThat(error.action()).isEqualTo(Action.STOP);
            assertThat(error.message()).contains("has ended");
        }

        open.commit().orElseThrow();
        assertThat(probe().committedValues(out)).containsExactly("a");
    }

    @Test
    void anotherThreadMayNotUseTheTransaction() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");

        for (TxnError error :
                CompletableFuture.supplyAsync(() -> everyCall(transaction, out)).join()) {
            assertThat(error.action()).isEqualTo(Action.STOP);
            assertThat(error.message()).contains(Thread.currentThread().getName(), "does not own");
        }

        transaction.commit().orElseThrow();
        assertThat(probe().committedValues(out)).containsExactly("a");
    }

    @Test
    void nothingWorksAfterClose() {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        producer.close();

        for (TxnError error : everyCall(transaction, out)) {
            assertThat(error.action()).isEqualTo(Action.RECREATE);
            assertThat(error.message()).contains("closed");
        }
        assertThat(error(producer.beginTransaction()).message()).contains("closed");
        assertThat(error(producer.init()).message()).contains("closed");
        assertGoesOn(recreate(producer));
    }

    @Test
    void aProducerClosedBeforeInitStaysClosed() {
        TransactionalProducer<String, String> producer = create(settings());
        producer.close();

        assertThat(error(producer.init()).message()).contains("closed");
        assertThat(error(producer.beginTransaction()).message()).contains("closed");
        assertThat(producer.metrics()).isEmpty();
    }

    private static List<TxnError> everyCall(Transaction<String, String> transaction, String topic) {
        TxnResult<?> offsets = transaction.sendOffsetsToTransaction(OFFSETS, GROUP);
        return List.of(
                refusal(transaction.send(new ProducerRecord<>(topic, "refused"))),
                error(offsets),
                error(transaction.commit()),
                error(transaction.abort()));
    }
}
