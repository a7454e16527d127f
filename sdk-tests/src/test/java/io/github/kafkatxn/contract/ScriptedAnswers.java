package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.Calls.error;
import static io.github.kafkatxn.contract.Calls.failure;
import static io.github.kafkatxn.contract.Calls.groupMetadata;
import static io.github.kafkatxn.contract.Calls.settled;
import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.fault.Fault;
import io.github.kafkatxn.cluster.fault.FaultPlan;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers that no test can make a real broker give at the right moment. Scenarios C02, C04, C06 and C07. */
abstract class ScriptedAnswers extends ProducerContract {
    private final List<String> outputs = new ArrayList<>();

    @Override
    protected abstract ReferenceClusterTarget target();

    @AfterEach
    void nothingIsVisible() {
        assertThat(outputs)
                .isNotEmpty()
                .allSatisfy(out -> assertThat(probe().committedValues(out)).isEmpty());
        outputs.clear();
    }

    /** A transaction with a record in it, which nobody may ever see. */
    private final class Open {
        private final String id = unique("id");
        private final String out = topic("out");
        private final TransactionalProducer<String, String> producer =
                ready(settings().transactionalId(id));
        private final Transaction<String, String> transaction =
                producer.beginTransaction().orElseThrow();

        Open() {
            outputs.add(out);
            deliver(transaction, out, "first");
        }

        Fault on(ApiKeys api) {
            return faults().on(api).transactionalId(id);
        }
    }

    /** C02 (b), (d): what lies under the client's exception looks fatal, and is not. */
    @Test
    void aWrongStateOnProduceIsAbortable() {
        assertAbortableOnProduce(Errors.INVALID_TXN_STATE);
    }

    /** C04 (a): an old epoch is not yet a fence, the abort decides. */
    @Test
    void anOldEpochOnProduceIsAbortable() {
        assertAbortableOnProduce(Errors.INVALID_PRODUCER_EPOCH);
    }

    private void assertAbortableOnProduce(Errors answer) {
        Open open = new Open();
        open.on(ApiKeys.PRODUCE).once().answerWith(answer);

        assertThat(failure(open.transaction.send(new ProducerRecord<>(open.out, "second"))))
                .isPresent();
        TxnError error = error(open.transaction.commit());

        assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
        assertThat(error.inDoubt()).isFalse();
        assertThat(error(open.transaction.commit())).as("a second commit").isEqualTo(error);
        assertThat(open.transaction.abort().isSuccess()).isTrue();
        assertGoesOn(open.producer);
    }

    /** C02 (c), (d): the same bare exception of the client as (a), and fatal: only an abort tells. */
    @Test
    void anUnknownErrorOnCommitIsFatal() {
        Open open = new Open();
        open.on(ApiKeys.END_TXN).once().answerWith(Errors.UNKNOWN_SERVER_ERROR);

        TxnError error = error(open.transaction.commit());

        assertThat(error.action()).isEqualTo(Action.RECREATE);
        assertThat(error(open.transaction.commit()).action())
                .as("a second commit")
                .isEqualTo(Action.RECREATE);
        assertOnlyRecreateHelps(open.producer, open.transaction.abort());
    }

    /** C06: markers take their time, and the next transaction, of offsets only, comes at once. */
    @Test
    void theEndOfTheTransactionBeforeIsWaitedFor() {
        Open open = new Open();
        open.transaction.abort().orElseThrow();
        TopicPartition in = new TopicPartition(topic("in"), 0);
        String group = unique("group");
        FaultRule slow = faults().on(ApiKeys.WRITE_TXN_MARKERS).everyTime().delay(Duration.ofMillis(300));

        for (int offset = 1; offset <= 3; offset++) {
            Transaction<String, String> next = open.producer.beginTransaction().orElseThrow();
            next.sendOffsetsToTransaction(Map.of(in, new OffsetAndMetadata(offset)), groupMetadata(group, -1, ""))
                    .orElseThrow();
            next.commit().orElseThrow();
        }
        slow.remove();

        eventually("the last offset")
                .untilAsserted(
                        () -> assertThat(probe().committedOffset(group, in)).hasValue(3));
    }

    /** C06: it does not end in time: no commit without the offsets. */
    @Test
    void offsetsThatCannotBeSentAreNotLeftOut() {
        Open open = new Open();
        TopicPartition in = new TopicPartition(topic("in"), 0);
        FaultRule never = faults().on(ApiKeys.TXN_OFFSET_COMMIT).everyTime().answerWith(Errors.CONCURRENT_TRANSACTIONS);

        TxnError error = error(open.transaction.sendOffsetsToTransaction(
                Map.of(in, new OffsetAndMetadata(1)), groupMetadata(unique("group"), -1, "")));

        assertThat(error(open.transaction.commit())).as("commit after that").isEqualTo(error);
        never.remove();
        assertGoesOn(follow(open.producer, open.transaction, error));
    }

    /** C07: an abort that fails with an answer is not repeated, and does not hide what went wrong first. */
    @ParameterizedTest
    @EnumSource(
            value = Errors.class,
            names = {"TRANSACTION_ABORTABLE", "UNKNOWN_SERVER_ERROR", "PRODUCER_FENCED"})
    void anAbortThatIsRefusedIsNotRepeated(Errors answer) {
        Open open = new Open();
        open.on(ApiKeys.PRODUCE).once().answerWith(Errors.INVALID_TXN_STATE);
        assertThat(failure(open.transaction.send(new ProducerRecord<>(open.out, "second"))))
                .isPresent();
        Throwable first = error(open.transaction.commit()).cause();
        FaultRule refused = open.on(ApiKeys.END_TXN).everyTime().answerWith(answer);

        TxnResult<?> abort = open.transaction.abort();

        assertThat(error(abort).cause()).isSameAs(first);
        assertThat(first.getSuppressed()).isNotEmpty();
        assertThat(refused.hits()).isEqualTo(1);
        refused.remove();
        assertOnlyRecreateHelps(open.producer, abort);
    }

    /** C07: an abort without an answer is repeated. */
    @Test
    void anAbortWithoutAnAnswerIsRepeated() {
        Open open = new Open();
        FaultRule kept = open.on(ApiKeys.END_TXN).everyTime().holdAnswer();

        TxnError unanswered = error(open.transaction.abort());
        assertThat(unanswered.action()).isEqualTo(Action.RETRY_CALL);
        kept.release();

        assertThat(settled(open.transaction::abort).isSuccess()).isTrue();
        kept.remove();
        assertGoesOn(open.producer);
    }

    private FaultPlan faults() {
        return target().cluster().faults();
    }
}
