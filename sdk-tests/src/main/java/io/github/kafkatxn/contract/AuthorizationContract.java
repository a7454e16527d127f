package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.Calls.error;
import static io.github.kafkatxn.contract.Calls.failure;
import static io.github.kafkatxn.contract.Calls.groupMetadata;
import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.apache.kafka.common.resource.ResourceType.TRANSACTIONAL_ID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.TxnError;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A missing right stops, wherever it is noticed, and leaves no transaction open; once it is given, the transactional id
 * goes on. Scenario C33; the right to write idempotently on the cluster is given to nobody here, for transactions do
 * not need it.
 */
public abstract class AuthorizationContract extends ProducerContract {
    private Acls acls;
    private String out;
    private String id;

    /** For subclasses. */
    @SuppressWarnings("NullAway.Init") // Set before each test.
    protected AuthorizationContract() {}

    @BeforeEach
    void grantWhatEveryTestNeeds() {
        assumeTrue(target().principal().isPresent(), "the target asks nobody who they are");
        acls = new Acls(
                probe().admin(), target().clientConfig(), target().principal().orElseThrow());
        out = topic("out");
        id = unique("id");
        acls.grant(TOPIC, out, WRITE);
    }

    @AfterEach
    void closeAcls() {
        acls.close();
    }

    @Test
    void theTransactionalId() {
        TransactionalProducer<String, String> producer = create(mySettings());

        TxnError error = error(producer.init());

        assertMissingRight(error);
        acls.grant(TRANSACTIONAL_ID, id, WRITE);
        assertCommits(recreate(producer), "a");
    }

    @Test
    void theTransactionalIdTakenAwayBeforeCommit() {
        acls.grant(TRANSACTIONAL_ID, id, WRITE);
        TransactionalProducer<String, String> producer = ready(mySettings());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");
        acls.revoke(TRANSACTIONAL_ID, id, WRITE);

        TxnError error = error(transaction.commit());

        assertMissingRight(error);
        acls.grant(TRANSACTIONAL_ID, id, WRITE);
        TransactionalProducer<String, String> next = recreate(producer);
        assertThat(probe().committedValues(out)).isEmpty();
        assertCommits(next, "b");
    }

    /** The first of two topics is allowed. */
    @Test
    void writingToATopic() {
        acls.grant(TRANSACTIONAL_ID, id, WRITE);
        String denied = topic("denied");
        TransactionalProducer<String, String> producer = ready(mySettings());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");

        assertThat(failure(transaction.send(new ProducerRecord<>(denied, "b")))).isPresent();
        TxnError error = error(transaction.commit());

        assertMissingRight(error);
        assertThat(error.message()).contains(denied);
        assertThat(transaction.abort().isSuccess()).isTrue();
        assertThat(probe().committedValues(out)).isEmpty();
        acls.grant(TOPIC, denied, WRITE);
        assertCommits(producer, "c");
        assertThat(probe().committedValues(denied)).isEmpty();
    }

    /** Taken away after the first record, so that the broker and not the metadata refuses. */
    @Test
    void writingToATopicTakenAway() {
        acls.grant(TRANSACTIONAL_ID, id, WRITE);
        String denied = topic("denied");
        acls.grant(TOPIC, denied, WRITE);
        TransactionalProducer<String, String> producer = ready(mySettings());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, denied, "a");
        acls.revoke(TOPIC, denied, WRITE);

        assertThat(failure(transaction.send(new ProducerRecord<>(denied, "b")))).isPresent();
        TxnError error = error(transaction.commit());

        assertMissingRight(error);
        assertThat(transaction.abort().isSuccess()).isTrue();
        assertThat(probe().committedValues(denied)).isEmpty();
        assertCommits(producer, "c");
    }

    @Test
    void readingTheGroup() {
        acls.grant(TRANSACTIONAL_ID, id, WRITE);
        TopicPartition in = new TopicPartition(topic("in"), 0);
        acls.grant(TOPIC, in.topic(), READ);
        String group = unique("group");

        TransactionalProducer<String, String> producer = assertOffsetsAreRefused(in, group);

        acls.grant(GROUP, group, READ);
        assertOffsetsAreCommitted(producer, in, group);
    }

    /**
     * As the offset commit sees it: the same right is missing as in {@link #writingToATopic()}, and the same follows.
     */
    @Test
    void readingTheInput() {
        acls.grant(TRANSACTIONAL_ID, id, WRITE);
        TopicPartition in = new TopicPartition(topic("in"), 0);
        String group = unique("group");
        acls.grant(GROUP, group, READ);
        acls.grant(TOPIC, in.topic(), DESCRIBE);

        TransactionalProducer<String, String> producer = assertOffsetsAreRefused(in, group);

        acls.revoke(TOPIC, in.topic(), DESCRIBE);
        acls.grant(TOPIC, in.topic(), READ);
        assertOffsetsAreCommitted(producer, in, group);
    }

    private TransactionalProducer<String, String> assertOffsetsAreRefused(TopicPartition in, String group) {
        TransactionalProducer<String, String> producer = ready(mySettings());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");

        TxnError error = error(transaction.sendOffsetsToTransaction(
                Map.of(in, new OffsetAndMetadata(5)), groupMetadata(group, -1, "")));

        assertMissingRight(error);
        assertThat(error(transaction.commit())).as("commit after that").isEqualTo(error);
        TransactionalProducer<String, String> next = follow(producer, transaction, error);
        assertThat(probe().committedValues(out)).isEmpty();
        return next;
    }

    private void assertOffsetsAreCommitted(
            TransactionalProducer<String, String> producer, TopicPartition in, String group) {
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        transaction
                .sendOffsetsToTransaction(Map.of(in, new OffsetAndMetadata(5)), groupMetadata(group, -1, ""))
                .orElseThrow();
        transaction.commit().orElseThrow();
        eventually("the committed offset")
                .untilAsserted(
                        () -> assertThat(probe().committedOffset(group, in)).hasValue(5));
    }

    private void assertCommits(TransactionalProducer<String, String> producer, String value) {
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, value);
        transaction.commit().orElseThrow();
        assertThat(probe().committedValues(out)).containsExactly(value);
    }

    private static void assertMissingRight(TxnError error) {
        assertThat(error.action()).as(error.message()).isEqualTo(Action.STOP);
        assertThat(error.category()).isEqualTo(ErrorCategory.INVALID_CONFIGURATION);
    }

    private ProducerSettings.Builder mySettings() {
        return settings().transactionalId(id);
    }
}
