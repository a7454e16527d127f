package io.github.kafkatxn.wire;

import static io.github.kafkatxn.wire.OffsetsFixture.IN;
import static io.github.kafkatxn.wire.OffsetsFixture.OTHER;
import static io.github.kafkatxn.wire.OffsetsFixture.offsets;
import static io.github.kafkatxn.wire.OffsetsFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.junit.WithKafka;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionListener.OffsetsPath;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Input topics that are deleted, and created again, around their offsets. Scenarios C18, C19. */
@Timeout(60)
@WithKafka
class RecreatedTopicsTest {

    @Test
    void aRecreatedTopicIsNoticedAtOnce(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster, Duration.ofMinutes(10))) {
            fixture.commit(5, IN, OTHER);
            recreate(fixture);
            Transaction<String, String> transaction = fixture.begin();
            // The deadline is ten minutes away: that there is an answer before the test's own limit says "at once".
            TxnError error = refusal(transaction, IN, OTHER);

            assertRecreated(error);
            fixture.assertAbortsAndGoesOn(transaction);
            fixture.commit(3, IN); // Of the new topic.
        }
    }

    /** With the first offsets of a producer, which has never heard of the topic before. */
    @Test
    void aTopicThatIsNotTheOneThatWasReadIsNoticed(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            Map<String, Uuid> read = Map.of("in", fixture.topicId("in"));
            recreate(fixture);
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = transaction
                    .sendOffsetsToTransaction(offsets(5, IN, OTHER), OffsetsFixture.group(), read)
                    .error()
                    .orElseThrow();

            assertRecreated(error);
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    /** Whoever has read the new topic says so; what the producer knows of the old one is not held against it. */
    @Test
    void whoHasReadTheNewTopicMayCommitForItAtOnce(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN);
            recreate(fixture);
            Transaction<String, String> transaction = fixture.begin();
            transaction
                    .sendOffsetsToTransaction(
                            offsets(1, IN), OffsetsFixture.group(), Map.of("in", fixture.topicId("in")))
                    .orElseThrow();
            transaction.commit().orElseThrow();

            assertThat(fixture.committed(IN)).isEqualTo(1);
        }
    }

    /** It says nothing, and takes nothing from what the producer knows. */
    @Test
    void anIdOfZeroIsNone(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            Map<String, Uuid> zero = Map.of("in", Uuid.ZERO_UUID);
            Transaction<String, String> first = fixture.begin();
            first.sendOffsetsToTransaction(offsets(5, IN), OffsetsFixture.group(), zero)
                    .orElseThrow();
            first.commit().orElseThrow();
            assertThat(fixture.paths()).containsExactly(OffsetsPath.TOPIC_IDS);

            recreate(fixture);
            Transaction<String, String> next = fixture.begin();
            TxnError error = next.sendOffsetsToTransaction(offsets(6, IN), OffsetsFixture.group(), zero)
                    .error()
                    .orElseThrow();
            assertRecreated(error);
            fixture.assertAbortsAndGoesOn(next);
        }
    }

    /** By name it is accepted for whatever topic has that name by then. */
    @Test
    @WithKafka(apiCaps = "TXN_OFFSET_COMMIT:5")
    void aRecreatedTopicIsNoticedByName(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN, OTHER);
            recreate(fixture);
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN, OTHER);

            assertRecreated(error);
            assertThat(fixture.versions()).containsExactly(5, 5);
            fixture.assertAbortsAndGoesOn(transaction);
            assertThat(fixture.committed(OTHER)).isEqualTo(5);
        }
    }

    @Test
    @WithKafka(apiCaps = "TXN_OFFSET_COMMIT:5")
    void aTopicThatIsNotTheOneThatWasReadIsNoticedByName(ReferenceCluster cluster) {
        aTopicThatIsNotTheOneThatWasReadIsNoticed(cluster);
    }

    @Test
    @WithKafka(apiCaps = "TXN_OFFSET_COMMIT:5")
    void aTopicThatIsRecreatedBetweenTwoAttemptsIsNoticedByName(ReferenceCluster cluster) {
        aTopicThatIsRecreatedBetweenTwoAttemptsIsNoticed(cluster);
    }

    /** What was accepted by name is not forgotten while the rest, or the ids, are waited for. */
    @Test
    @WithKafka(apiCaps = "TXN_OFFSET_COMMIT:5")
    void idsThatAreNotToldAtFirstAreComparedLater(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN);
            recreate(fixture);
            FaultRule untold = cluster.faults()
                    .on(ApiKeys.METADATA)
                    .topic("in")
                    .clientId("producer-id")
                    .times(2)
                    .closeBeforeHandling();
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN);

            assertThat(untold.hits()).isEqualTo(2);
            assertRecreated(error);
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    /** By the time it is sent again, the topic is another one. */
    @Test
    void aTopicThatIsRecreatedBetweenTwoAttemptsIsNoticed(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = fixture.refusalWhile(transaction, () -> recreate(fixture), IN, OTHER);

            assertRecreated(error);
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    /** First it is not there, and then it is another one. */
    @Test
    void aTopicThatComesBackWhileItIsWaitedForIsNoticed(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN);
            fixture.deleteTopic("in");
            FaultRule asked = cluster.faults()
                    .on(ApiKeys.METADATA)
                    .topic("in")
                    .clientId("producer-id")
                    .observe();
            Transaction<String, String> transaction = fixture.begin();
            CompletableFuture<Void> created = CompletableFuture.runAsync(() -> {
                asked.awaitHits(1);
                fixture.createTopic("in", 2);
            });
            TxnError error = refusal(transaction, IN);
            created.join();

            assertRecreated(error);
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    /** A node that has not heard of the new topic yet tells the old id; it is asked again. */
    @Test
    void anOldIdFromAnotherNodeIsNotTakenForAnAnswer(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN);
            FaultRule stale = cluster.faults()
                    .on(ApiKeys.METADATA)
                    .topic("in")
                    .clientId("producer-id")
                    .times(2)
                    .answerAsOfNow();
            recreate(fixture);
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN);

            assertThat(stale.hits()).isEqualTo(2);
            assertRecreated(error);
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    private static void recreate(OffsetsFixture fixture) {
        fixture.deleteTopic("in");
        fixture.createTopic("in", 2);
    }

    private static void assertRecreated(TxnError error) {
        assertThat(error.category()).isEqualTo(ErrorCategory.ABORTABLE);
        assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
        assertThat(error.cause())
                .isInstanceOf(UnknownTopicIdException.class)
                .hasMessageContaining("topic recreated: in");
        assertThat(error.partitions()).containsOnlyKeys(IN);
    }
}
