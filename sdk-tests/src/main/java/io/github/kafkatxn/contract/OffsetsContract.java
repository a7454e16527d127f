package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.Calls.error;
import static io.github.kafkatxn.contract.Calls.groupMetadata;
import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/**
 * Input offsets are committed with the output or not at all; what cannot be sent poisons the transaction, so that no
 * output is committed without its offsets. Scenarios C06 (the last rule), C16, C18, C19.
 */
public abstract class OffsetsContract extends ProducerContract {

    /** For subclasses. */
    protected OffsetsContract() {}

    /** C16 (a): partitions assigned by hand; the transactional id is the only fence. */
    @Test
    void offsetsOfAssignedPartitionsNeedNoMembership() {
        Setup s = new Setup();

        s.transaction.sendOffsetsToTransaction(s.offsets(5), s.group()).orElseThrow();
        s.transaction.commit().orElseThrow();

        s.assertVisible();
        eventually("the committed offset")
                .untilAsserted(() ->
                        assertThat(probe().committedOffset(s.groupId, s.in)).hasValue(5));
    }

    /** C16 (b): by hand too, under a name that is that of a static member elsewhere. */
    @Test
    void offsetsOfAnAssignedConsumerWithAnInstanceIdNeedNoMembership() {
        Setup s = new Setup();

        s.transaction
                .sendOffsetsToTransaction(s.offsets(5), groupMetadata(s.groupId, -1, "", Optional.of("instance")))
                .orElseThrow();
        s.transaction.commit().orElseThrow();

        s.assertVisible();
        eventually("the committed offset")
                .untilAsserted(() ->
                        assertThat(probe().committedOffset(s.groupId, s.in)).hasValue(5));
    }

    /** C16 (c). */
    @Test
    @SuppressWarnings("NullAway") // Not every caller is checked.
    void withoutGroupMetadataNothingIsCommitted() {
        Setup s = new Setup();

        TxnResult<?> result = s.transaction.sendOffsetsToTransaction(s.offsets(5), null);

        s.assertUsageErrorAbortsAndGoesOn(result);
    }

    /** C16 (d): a generation without a member. */
    @Test
    void withInconsistentGroupMetadataNothingIsCommitted() {
        Setup s = new Setup();

        TxnResult<?> result = s.transaction.sendOffsetsToTransaction(s.offsets(5), groupMetadata(s.groupId, 3, ""));

        s.assertUsageErrorAbortsAndGoesOn(result);
    }

    @Test
    void withoutAnOffsetForAPartitionNothingIsCommitted() {
        Setup s = new Setup();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        offsets.put(s.in, null);

        TxnResult<?> result = s.transaction.sendOffsetsToTransaction(offsets, s.group());

        s.assertUsageErrorAbortsAndGoesOn(result);
    }

    /** C16 (e): nothing to do, with data and without. */
    @Test
    void noOffsetsMeansThereIsNothingToDo() {
        Setup s = new Setup();

        assertThat(s.transaction.sendOffsetsToTransaction(Map.of(), s.group()).isSuccess())
                .isTrue();
        assertThat(s.transaction.commit().orElseThrow().offsets()).isZero();
        s.assertVisible();

        Transaction<String, String> empty = s.producer.beginTransaction().orElseThrow();
        assertThat(empty.sendOffsetsToTransaction(Map.of(), s.group()).isSuccess())
                .isTrue();
        empty.commit().orElseThrow();
        assertThat(error(empty.sendOffsetsToTransaction(Map.of(), s.group())).message())
                .as("no transaction open")
                .contains("has ended");
        assertThat(probe().committedOffset(s.groupId, s.in)).isEmpty();
    }

    /** C16 (f): null metadata of an offset is empty metadata. */
    @Test
    @SuppressWarnings("NullAway")
    void nullMetadataOfAnOffsetIsEmpty() {
        Setup s = new Setup();

        s.transaction
                .sendOffsetsToTransaction(Map.of(s.in, new OffsetAndMetadata(5, null)), s.group())
                .orElseThrow();
        s.transaction.commit().orElseThrow();

        eventually("the committed offset")
                .untilAsserted(() ->
                        assertThat(probe().committedOffset(s.groupId, s.in)).hasValue(5));
    }

    @Test
    void offsetsAloneMakeATransaction() {
        Setup s = new Setup();
        s.transaction.abort().orElseThrow();
        Transaction<String, String> transaction = s.producer.beginTransaction().orElseThrow();

        transaction.sendOffsetsToTransaction(s.offsets(5), s.group()).orElseThrow();
        transaction.commit().orElseThrow();

        eventually("the committed offset")
                .untilAsserted(() ->
                        assertThat(probe().committedOffset(s.groupId, s.in)).hasValue(5));
    }

    /** C18: whatever the offsets call says, it says it in time, and the transactional id is usable afterwards. */
    @Test
    void aDeletedInputTopicDoesNotWedgeTheProducer() {
        Setup s = new Setup();
        s.sendOffsetsOnceBefore();
        probe().deleteTopic(s.in.topic());

        TxnError error = error(s.transaction.sendOffsetsToTransaction(s.offsets(6), s.group()));

        assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
        assertThat(error(s.transaction.commit())).as("commit after that").isEqualTo(error);
        TxnResult<?> abort = s.transaction.abort();
        assertThat(abort.isSuccess() || error(abort).action() == Action.RECREATE)
                .as("one attempt is enough: %s", abort)
                .isTrue();
        assertGoesOn(abort.isSuccess() ? s.producer : recreate(s.producer));
        assertThat(probe().committedValues(s.out)).containsExactly("before");
    }

    /** C19: the same for a topic that is there again under another id; by name the broker cannot tell. */
    @Test
    void aRecreatedInputTopicDoesNotWedgeTheProducer() {
        Setup s = new Setup();
        s.sendOffsetsOnceBefore();
        probe().deleteTopic(s.in.topic());
        probe().createTopic(s.in.topic(), 1);

        TxnResult<?> result = s.transaction.sendOffsetsToTransaction(s.offsets(6), s.group());

        TransactionalProducer<String, String> next = s.producer;
        if (result.isSuccess()) {
            s.transaction.commit().orElseThrow();
            assertThat(probe().committedValues(s.out)).containsExactly("before", "a");
        } else {
            next = follow(s.producer, s.transaction, error(result));
            assertThat(probe().committedValues(s.out)).containsExactly("before");
        }
        assertGoesOn(next);
    }

    /** A producer with one delivered record in an open transaction, and an input to send offsets of. */
    private final class Setup {
        final String out = topic("out");
        final TopicPartition in = new TopicPartition(topic("in"), 0);
        final String groupId = unique("group");
        final TransactionalProducer<String, String> producer =
                ready(settings().callTimeout(Duration.ofSeconds(2)).property("max.block.ms", 1_000));
        Transaction<String, String> transaction = begin("a");

        ConsumerGroupMetadata group() {
            return groupMetadata(groupId, -1, "");
        }

        Map<TopicPartition, OffsetAndMetadata> offsets(long offset) {
            return Map.of(in, new OffsetAndMetadata(offset));
        }

        /** From then on the client knows the input topic by its id. */
        void sendOffsetsOnceBefore() {
            transaction.abort().orElseThrow();
            transaction = begin("before");
            transaction.sendOffsetsToTransaction(offsets(5), group()).orElseThrow();
            transaction.commit().orElseThrow();
            transaction = begin("a");
        }

        void assertVisible() {
            assertThat(probe().committedValues(out)).containsExactly("a");
        }

        void assertUsageErrorAbortsAndGoesOn(TxnResult<?> result) {
            TxnError error = error(result);
            assertThat(error.action()).isEqualTo(Action.STOP);
            assertThat(error(transaction.commit())).as("commit after that").isEqualTo(error);
            assertThat(transaction.abort().isSuccess()).isTrue();
            assertGoesOn(producer);
            assertThat(probe().committedValues(out)).isEmpty();
            assertThat(probe().committedOffset(groupId, in)).isEmpty();
        }

        private Transaction<String, String> begin(String value) {
            Transaction<String, String> begun = producer.beginTransaction().orElseThrow();
            deliver(begun, out, value);
            return begun;
        }
    }
}
