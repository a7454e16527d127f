package io.github.kafkatxn.wire;

import static io.github.kafkatxn.wire.OffsetsFixture.IN;
import static io.github.kafkatxn.wire.OffsetsFixture.IN_1;
import static io.github.kafkatxn.wire.OffsetsFixture.OTHER;
import static io.github.kafkatxn.wire.OffsetsFixture.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.fault.LoggedRequest;
import io.github.kafkatxn.cluster.junit.WithKafka;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.ErrorCategory;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What every error code of TxnOffsetCommit comes to, for one partition and for several. */
@Timeout(60)
@WithKafka
class OffsetErrorsTest {

    /** Refused for good, at the first answer; only one of two partitions is. */
    @ParameterizedTest
    @CsvSource({
        "UNKNOWN_MEMBER_ID, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY",
        "ILLEGAL_GENERATION, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY",
        "GROUP_ID_NOT_FOUND, ABORTABLE, ABORT_AND_REPLAY",
        "STALE_MEMBER_EPOCH, ABORTABLE, ABORT_AND_REPLAY",
        "TRANSACTION_ABORTABLE, ABORTABLE, ABORT_AND_REPLAY",
        "UNKNOWN_SERVER_ERROR, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY",
        "FENCED_INSTANCE_ID, APPLICATION_RECOVERABLE, STOP",
        "GROUP_AUTHORIZATION_FAILED, INVALID_CONFIGURATION, STOP",
        "TOPIC_AUTHORIZATION_FAILED, INVALID_CONFIGURATION, STOP",
        "OFFSET_METADATA_TOO_LARGE, INVALID_CONFIGURATION, STOP",
        "INVALID_COMMIT_OFFSET_SIZE, INVALID_CONFIGURATION, STOP",
        "INVALID_GROUP_ID, INVALID_CONFIGURATION, STOP",
        "UNSUPPORTED_FOR_MESSAGE_FORMAT, INVALID_CONFIGURATION, STOP",
        "TRANSACTIONAL_ID_AUTHORIZATION_FAILED, INVALID_CONFIGURATION, STOP",
        "INVALID_PRODUCER_EPOCH, APPLICATION_RECOVERABLE, RECREATE",
        "PRODUCER_FENCED, APPLICATION_RECOVERABLE, RECREATE",
        "INVALID_PRODUCER_ID_MAPPING, APPLICATION_RECOVERABLE, RECREATE",
        "INVALID_TXN_STATE, APPLICATION_RECOVERABLE, RECREATE"
    })
    void aPartitionIsRefused(Errors code, ErrorCategory category, Action action, ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            cluster.faults()
                    .on(ApiKeys.TXN_OFFSET_COMMIT)
                    .topic("in")
                    .partition(1)
                    .answerWith(code);
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN, IN_1, OTHER);

            assertThat(error.category()).isEqualTo(category);
            assertThat(error.action()).isEqualTo(action);
            assertThat(error.partitions()).containsOnlyKeys(IN_1);
            assertThat(error.partitions().get(IN_1))
                    .isInstanceOf(code.exception().getClass());
            assertThat(fixture.versions()).containsExactly(6);
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    /**
     * At the deadline it is told what the waiting was for, not that the time was over. The pause after the first
     * attempt is longer than the limit, so that no other is under way when that has passed.
     */
    @Test
    void whatDoesNotPassInTimeIsTheCause(ReferenceCluster cluster) {
        Map<String, Object> onePause =
                Map.of("max.block.ms", 1_000, "retry.backoff.ms", 1_500, "retry.backoff.max.ms", 1_500);
        try (OffsetsFixture fixture = new OffsetsFixture(cluster, Duration.ofSeconds(30), onePause)) {
            cluster.faults()
                    .on(ApiKeys.FIND_COORDINATOR)
                    .clientId("producer-id")
                    .everyTime()
                    .answerWith(Errors.COORDINATOR_NOT_AVAILABLE);
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN);

            assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
            assertThat(error.partitions().get(IN)).isInstanceOf(CoordinatorNotAvailableException.class);
            assertThat(transaction.abort().isSuccess()).isTrue();
        }
    }

    /** What passes is sent again, and only that. */
    @ParameterizedTest
    @EnumSource(
            names = {
                "UNKNOWN_TOPIC_ID",
                "UNKNOWN_TOPIC_OR_PARTITION",
                "CONCURRENT_TRANSACTIONS",
                "COORDINATOR_LOAD_IN_PROGRESS",
                "COORDINATOR_NOT_AVAILABLE",
                "NOT_COORDINATOR",
                "REQUEST_TIMED_OUT"
            })
    void whatPassesIsSentAgain(Errors code, ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            cluster.faults()
                    .on(ApiKeys.TXN_OFFSET_COMMIT)
                    .topic("in")
                    .partition(1)
                    .times(3)
                    .answerWith(code);
            fixture.commit(5, IN, IN_1, OTHER);

            assertThat(fixture.commits().stream().map(OffsetErrorsTest::partitions))
                    .containsExactly(3, 1, 1, 1);
            assertThat(fixture.retries())
                    .hasSize(3)
                    .allSatisfy(cause ->
                            assertThat(cause).isInstanceOf(code.exception().getClass()));
        }
    }

    /** The coordinator is asked for again when it says that it is not, the ids when it does not know them. */
    @ParameterizedTest
    @CsvSource({
        "NOT_COORDINATOR, FIND_COORDINATOR",
        "COORDINATOR_NOT_AVAILABLE, FIND_COORDINATOR",
        "REQUEST_TIMED_OUT, FIND_COORDINATOR",
        "UNKNOWN_TOPIC_ID, METADATA"
    })
    void whatIsOutOfDateIsAskedForAgain(Errors code, ApiKeys question, ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            fixture.commit(5, IN);
            cluster.requests().clear();
            cluster.faults().on(ApiKeys.TXN_OFFSET_COMMIT).answerWith(code);
            fixture.commit(6, IN);

            List<String> between = cluster.requests().onAny().fromClients().clientId("producer-id").list().stream()
                    .map(LoggedRequest::api)
                    .filter(api -> !api.equals("EndTxn"))
                    .toList();
            assertThat(between).containsExactly("TxnOffsetCommit", ApiKeys.forId(question.id).name, "TxnOffsetCommit");
        }
    }

    /** Within the time of one wait, with what was said last, and then the abort is not in the way. */
    @ParameterizedTest
    @EnumSource(
            names = {"UNKNOWN_TOPIC_ID", "UNKNOWN_TOPIC_OR_PARTITION", "CONCURRENT_TRANSACTIONS", "NOT_COORDINATOR"})
    void whatDoesNotPassEndsWithTheDeadline(Errors code, ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster, Duration.ofSeconds(1))) {
            FaultRule rule = cluster.faults()
                    .on(ApiKeys.TXN_OFFSET_COMMIT)
                    .topic("in")
                    .partition(1)
                    .everyTime()
                    .answerWith(code);
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN, IN_1);
            rule.remove();

            assertThat(error.category()).isEqualTo(ErrorCategory.ABORTABLE);
            assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
            assertThat(error.cause()).isInstanceOf(TimeoutException.class);
            assertThat(error.cause().getCause()).isInstanceOf(code.exception().getClass());
            assertThat(error.partitions()).containsOnlyKeys(IN_1);
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    /** What ends the producer goes before what needs a person, that before the rest; all are told. */
    @ParameterizedTest
    @CsvSource({
        "UNKNOWN_TOPIC_OR_PARTITION, ILLEGAL_GENERATION, ABORT_AND_REPLAY",
        "GROUP_AUTHORIZATION_FAILED, STALE_MEMBER_EPOCH, STOP",
        "STALE_MEMBER_EPOCH, PRODUCER_FENCED, RECREATE",
        "INVALID_PRODUCER_EPOCH, GROUP_AUTHORIZATION_FAILED, RECREATE"
    })
    void ofSeveralErrorsTheGravestDecides(Errors first, Errors second, Action action, ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            cluster.faults()
                    .on(ApiKeys.TXN_OFFSET_COMMIT)
                    .changeAnswer(
                            TxnOffsetCommitResponseData.class,
                            answer -> answer.topics()
                                    .forEach(topic -> topic.partitions()
                                            .forEach(partition -> partition.setErrorCode(
                                                    (partition.partitionIndex() == 0 ? first : second).code()))));
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN, IN_1);

            assertThat(error.action()).isEqualTo(action);
            assertThat(error.partitions().get(IN))
                    .isInstanceOf(first.exception().getClass());
            assertThat(error.partitions().get(IN_1))
                    .isInstanceOf(second.exception().getClass());
        }
    }

    /** Nobody knows what became of it. */
    @Test
    void aPartitionThatTheAnswerDoesNotMentionIsNotCommitted(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            cluster.faults()
                    .on(ApiKeys.TXN_OFFSET_COMMIT)
                    .changeAnswer(
                            TxnOffsetCommitResponseData.class,
                            answer -> answer.topics().get(0).partitions().remove(0));
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN, IN_1);

            assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
            assertThat(error.partitions()).hasSize(1);
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    @Test
    void whoMayNotUseTheGroupIsToldSo(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            cluster.faults().on(ApiKeys.FIND_COORDINATOR).answerWith(Errors.GROUP_AUTHORIZATION_FAILED);
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN);

            assertThat(error.action()).isEqualTo(Action.STOP);
            assertThat(error.cause())
                    .isInstanceOfSatisfying(
                            GroupAuthorizationException.class,
                            cause -> assertThat(cause.groupId()).isEqualTo("group"));
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    @Test
    void theTopicThatMayNotBeReadIsNamed(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            cluster.faults().on(ApiKeys.TXN_OFFSET_COMMIT).topic("other").answerWith(Errors.TOPIC_AUTHORIZATION_FAILED);
            TxnError error = refusal(fixture.begin(), IN, OTHER);

            assertThat(error.partitions()).containsOnlyKeys(OTHER);
            assertThat(error.cause())
                    .isInstanceOfSatisfying(
                            TopicAuthorizationException.class,
                            cause -> assertThat(cause.unauthorizedTopics()).containsExactly("other"));
            assertThat(error.message()).contains("topic other", "Read on the input topic");
        }
    }

    /** Who may not even ask for the id of a topic is told so at once, and nothing is sent. */
    @Test
    void theTopicThatMayNotBeDescribedIsNamed(ReferenceCluster cluster) {
        try (OffsetsFixture fixture = new OffsetsFixture(cluster)) {
            FaultRule refused = cluster.faults()
                    .on(ApiKeys.METADATA)
                    .topic("other")
                    .clientId("producer-id")
                    .changeAnswer(
                            MetadataResponseData.class,
                            answer -> answer.topics()
                                    .find("other")
                                    .setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code())
                                    .setTopicId(Uuid.ZERO_UUID));
            Transaction<String, String> transaction = fixture.begin();
            TxnError error = refusal(transaction, IN, OTHER);

            assertThat(refused.hits()).isOne();
            assertThat(error.category()).isEqualTo(ErrorCategory.INVALID_CONFIGURATION);
            assertThat(error.action()).isEqualTo(Action.STOP);
            assertThat(error.partitions()).containsOnlyKeys(OTHER);
            assertThat(error.cause())
                    .isInstanceOfSatisfying(
                            TopicAuthorizationException.class,
                            cause -> assertThat(cause.unauthorizedTopics()).containsExactly("other"));
            assertThat(error.message()).contains("topic other");
            assertThat(fixture.commits()).isEmpty();
            assertThat(fixture.retries()).isEmpty();
            fixture.assertAbortsAndGoesOn(transaction);
        }
    }

    private static int partitions(LoggedRequest request) {
        return ((TxnOffsetCommitRequestData) request.request())
                .topics().stream().mapToInt(topic -> topic.partitions().size()).sum();
    }
}
