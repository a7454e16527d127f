package io.github.kafkatxn.result;

import static io.github.kafkatxn.result.Action.ABORT_AND_REPLAY;
import static io.github.kafkatxn.result.Action.RECREATE;
import static io.github.kafkatxn.result.Action.RETRY_CALL;
import static io.github.kafkatxn.result.Action.STOP;
import static io.github.kafkatxn.result.ClassifierRow.row;
import static io.github.kafkatxn.result.ErrorCategory.ABORTABLE;
import static io.github.kafkatxn.result.ErrorCategory.APPLICATION_RECOVERABLE;
import static io.github.kafkatxn.result.ErrorCategory.INVALID_CONFIGURATION;
import static io.github.kafkatxn.result.ErrorCategory.REFRESH_RETRIABLE;
import static io.github.kafkatxn.result.ErrorCategory.RETRIABLE;
import static io.github.kafkatxn.result.ErrorClassifier.Condition.ABORTED;
import static io.github.kafkatxn.result.ErrorClassifier.Condition.COMPLETING;
import static io.github.kafkatxn.result.ErrorClassifier.Condition.NEW;
import static io.github.kafkatxn.result.ErrorClassifier.Condition.UNUSABLE;
import static io.github.kafkatxn.result.ErrorClassifier.Condition.USABLE;
import static io.github.kafkatxn.result.Operation.ABORT;
import static io.github.kafkatxn.result.Operation.BEGIN;
import static io.github.kafkatxn.result.Operation.CLOSE;
import static io.github.kafkatxn.result.Operation.COMMIT;
import static io.github.kafkatxn.result.Operation.INIT;
import static io.github.kafkatxn.result.Operation.POLL;
import static io.github.kafkatxn.result.Operation.SEND;
import static io.github.kafkatxn.result.Operation.SEND_OFFSETS;
import static io.github.kafkatxn.result.Operation.SEND_SHARE_ACKNOWLEDGEMENTS;
import static io.github.kafkatxn.result.Operation.TRANSFORM;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The error model as rows: operation, exception, state of the producer, and what the caller is told. */
class ErrorClassifierTest {

    /** An {@link InterruptException} sets the flag of the thread that makes it. */
    @AfterEach
    void clearInterruptFlag() {
        Thread.interrupted();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"init", "begin", "send", "sendOffsets", "shareAcknowledgements", "commit", "abort", "input"})
    void tellsCategoryAndAction(ClassifierRow row) {
        TxnError error = row.classify();

        assertThat(error.category()).as("category").isEqualTo(row.category());
        assertThat(error.action()).as("action").isEqualTo(row.action());
        assertThat(error.inDoubt()).as("in doubt").isEqualTo(row.isInDoubt());
        assertThat(error.recordLevel()).as("record level").isEqualTo(row.isRecordLevel());
        assertThat(error.message()).startsWith(row.operation() + " failed (" + row.category() + "): ");
        assertThat(error.message()).contains(" Next: ").contains(row.nextStep()).endsWith(".");
    }

    /** Only waiting and fencing are cured by another call or another producer; the rest would loop. */
    static Stream<ClassifierRow> init() {
        return Stream.of(
                row(INIT, new TimeoutException("no coordinator"), NEW, RETRIABLE, RETRY_CALL)
                        .says("call init again."),
                row(INIT, Errors.COORDINATOR_LOAD_IN_PROGRESS, NEW, RETRIABLE, RETRY_CALL),
                row(INIT, Errors.COORDINATOR_NOT_AVAILABLE, NEW, REFRESH_RETRIABLE, RETRY_CALL),
                row(INIT, new InterruptException("woken"), NEW, APPLICATION_RECOVERABLE, RETRY_CALL)
                        .says("clear the interrupt flag of the thread and call init again"),
                row(INIT, Errors.PRODUCER_FENCED, NEW, APPLICATION_RECOVERABLE, RECREATE),
                row(INIT, Errors.INVALID_PRODUCER_EPOCH, NEW, APPLICATION_RECOVERABLE, RECREATE),
                row(INIT, Errors.INVALID_PRODUCER_ID_MAPPING, NEW, APPLICATION_RECOVERABLE, STOP),
                row(INIT, Errors.TRANSACTION_ABORTABLE, NEW, ABORTABLE, STOP),
                row(INIT, bareTransactionTimeout(), NEW, APPLICATION_RECOVERABLE, STOP)
                        .says("change transaction.timeout.ms (at most the broker's transaction.max.timeout.ms)"),
                row(INIT, Errors.INVALID_TRANSACTION_TIMEOUT, NEW, INVALID_CONFIGURATION, STOP)
                        .says("change transaction.timeout.ms"),
                row(INIT, new KafkaException("Failed to construct kafka producer"), NEW, APPLICATION_RECOVERABLE, STOP),
                row(INIT, errorState(new TimeoutException("lost")), NEW, ABORTABLE, STOP),
                row(INIT, new ConfigException("acks", "1"), NEW, INVALID_CONFIGURATION, STOP)
                        .says("change the setting named above"),
                row(INIT, Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, NEW, INVALID_CONFIGURATION, STOP)
                        .says("Write and Describe on the transactional id"),
                row(INIT, Errors.CLUSTER_AUTHORIZATION_FAILED, NEW, INVALID_CONFIGURATION, STOP)
                        .says("IdempotentWrite"),
                row(INIT, new SaslAuthenticationException("wrong password"), NEW, INVALID_CONFIGURATION, STOP)
                        .says("change the client's credentials"),
                row(INIT, Errors.UNSUPPORTED_VERSION, NEW, INVALID_CONFIGURATION, STOP)
                        .says("change the broker's version"));
    }

    static Stream<ClassifierRow> begin() {
        return Stream.of(
                row(BEGIN, new IllegalStateException("one is open"), USABLE, APPLICATION_RECOVERABLE, STOP)
                        .says("change the code that makes this call at the wrong time"),
                row(BEGIN, commitTimedOutBefore("beginTransaction"), COMPLETING, APPLICATION_RECOVERABLE, RECREATE)
                        .inDoubt(),
                row(BEGIN, new TimeoutException("waited"), USABLE, RETRIABLE, RETRY_CALL),
                row(BEGIN, new TimeoutException("waited"), UNUSABLE, RETRIABLE, RECREATE),
                row(BEGIN, Errors.PRODUCER_FENCED, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(BEGIN, Errors.FENCED_INSTANCE_ID, USABLE, APPLICATION_RECOVERABLE, STOP));
    }

    /** Nothing of send is retriable for the caller: the record could be there twice. */
    static Stream<ClassifierRow> send() {
        return Stream.of(
                row(SEND, new TimeoutException("expired"), USABLE, ABORTABLE, ABORT_AND_REPLAY)
                        .says("abort, rewind the input and do the batch again with this producer."),
                row(SEND, Errors.NOT_ENOUGH_REPLICAS_AFTER_APPEND, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.CORRUPT_MESSAGE, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.UNKNOWN_TOPIC_OR_PARTITION, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.NOT_LEADER_OR_FOLLOWER, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.INVALID_TXN_STATE, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.TRANSACTION_ABORTABLE, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.TRANSACTION_ABORTABLE, UNUSABLE, ABORTABLE, RECREATE),
                row(SEND, Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.UNKNOWN_PRODUCER_ID, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.UNKNOWN_SERVER_ERROR, USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND, new KafkaException("bare"), USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND, new KafkaException("bare"), UNUSABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(SEND, new RuntimeException("partitioner"), USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND, new InterruptException("woken"), USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.INVALID_PRODUCER_EPOCH, USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.INVALID_PRODUCER_EPOCH, ABORTED, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND, Errors.INVALID_PRODUCER_EPOCH, UNUSABLE, APPLICATION_RECOVERABLE, RECREATE)
                        .says("create one with the same transactional.id, and go on from the committed offsets."),
                row(SEND, Errors.PRODUCER_FENCED, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(SEND, Errors.INVALID_PRODUCER_ID_MAPPING, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(
                        SEND,
                        errorState(new CommitFailedException("gone")),
                        USABLE,
                        APPLICATION_RECOVERABLE,
                        ABORT_AND_REPLAY),
                row(SEND, errorState(Errors.FENCED_INSTANCE_ID), USABLE, APPLICATION_RECOVERABLE, STOP),
                row(SEND, Errors.MESSAGE_TOO_LARGE, USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("max.request.size"),
                row(SEND, new SerializationException("no"), USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("skip or dead-letter the record, or change the serializer"),
                row(SEND, Errors.INVALID_RECORD, USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("dead-letter"),
                row(SEND, Errors.INVALID_TIMESTAMP, USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("dead-letter"),
                row(SEND, Errors.POLICY_VIOLATION, USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("dead-letter"),
                row(SEND, new NullPointerException("serializer"), USABLE, APPLICATION_RECOVERABLE, STOP)
                        .recordLevel("dead-letter"),
                row(SEND, Errors.RECORD_LIST_TOO_LARGE, USABLE, INVALID_CONFIGURATION, STOP)
                        .says("batch.size"),
                row(SEND, Errors.TOPIC_AUTHORIZATION_FAILED, USABLE, INVALID_CONFIGURATION, STOP)
                        .says(
                                "end the transaction if one is open, and change the permissions (Write on the output topic)"),
                row(SEND, Errors.CLUSTER_AUTHORIZATION_FAILED, USABLE, INVALID_CONFIGURATION, STOP),
                row(SEND, Errors.INVALID_TOPIC_EXCEPTION, USABLE, INVALID_CONFIGURATION, STOP),
                row(SEND, Errors.INVALID_REQUIRED_ACKS, USABLE, INVALID_CONFIGURATION, STOP),
                row(SEND, Errors.UNSUPPORTED_FOR_MESSAGE_FORMAT, USABLE, INVALID_CONFIGURATION, STOP),
                row(SEND, new IllegalStateException("closed"), USABLE, APPLICATION_RECOVERABLE, STOP),
                row(SEND, brokenState(), USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY));
    }

    static Stream<ClassifierRow> sendOffsets() {
        return Stream.of(
                row(
                        SEND_OFFSETS,
                        new CommitFailedException("moved"),
                        USABLE,
                        APPLICATION_RECOVERABLE,
                        ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.ILLEGAL_GENERATION, USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.UNKNOWN_MEMBER_ID, USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.GROUP_ID_NOT_FOUND, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.STALE_MEMBER_EPOCH, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.STALE_MEMBER_EPOCH, UNUSABLE, ABORTABLE, RECREATE),
                row(SEND_OFFSETS, Errors.FENCED_MEMBER_EPOCH, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.UNKNOWN_TOPIC_ID, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.CONCURRENT_TRANSACTIONS, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, new TimeoutException("no answer"), USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.FENCED_INSTANCE_ID, USABLE, APPLICATION_RECOVERABLE, STOP)
                        .says("change group.instance.id"),
                row(SEND_OFFSETS, Errors.PRODUCER_FENCED, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(SEND_OFFSETS, Errors.INVALID_PRODUCER_EPOCH, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(SEND_OFFSETS, Errors.INVALID_PRODUCER_EPOCH, ABORTED, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, Errors.INVALID_TXN_STATE, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(SEND_OFFSETS, new KafkaException("bare"), USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(SEND_OFFSETS, new KafkaException("bare"), UNUSABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(SEND_OFFSETS, Errors.OFFSET_METADATA_TOO_LARGE, USABLE, INVALID_CONFIGURATION, STOP)
                        .says("offset.metadata.max.bytes"),
                row(SEND_OFFSETS, Errors.INVALID_COMMIT_OFFSET_SIZE, USABLE, INVALID_CONFIGURATION, STOP),
                row(SEND_OFFSETS, Errors.GROUP_AUTHORIZATION_FAILED, USABLE, INVALID_CONFIGURATION, STOP)
                        .says("Read on the group"),
                row(SEND_OFFSETS, Errors.TOPIC_AUTHORIZATION_FAILED, USABLE, INVALID_CONFIGURATION, STOP)
                        .says("Read on the input topic"),
                row(SEND_OFFSETS, new IllegalArgumentException("null metadata"), USABLE, APPLICATION_RECOVERABLE, STOP),
                row(SEND_OFFSETS, errorState(Errors.MESSAGE_TOO_LARGE), USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("max.request.size"));
    }

    static Stream<ClassifierRow> shareAcknowledgements() {
        Operation call = SEND_SHARE_ACKNOWLEDGEMENTS;
        return Stream.of(
                row(call, Errors.INVALID_RECORD_STATE, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(call, Errors.STALE_MEMBER_EPOCH, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(call, Errors.UNKNOWN_MEMBER_ID, USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(call, Errors.INVALID_PRODUCER_EPOCH, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(call, Errors.NOT_LEADER_OR_FOLLOWER, USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(call, Errors.UNSUPPORTED_VERSION, USABLE, INVALID_CONFIGURATION, STOP));
    }

    /** Whatever may hide an answer that was lost is in doubt, and only an abort that succeeded allows a replay. */
    static Stream<ClassifierRow> commit() {
        return Stream.of(
                row(COMMIT, new TimeoutException("no answer"), COMPLETING, RETRIABLE, RETRY_CALL)
                        .inDoubt()
                        .says("call commit again, nothing else."),
                row(COMMIT, new TimeoutException("no answer"), UNUSABLE, RETRIABLE, RECREATE)
                        .inDoubt(),
                row(COMMIT, Errors.CONCURRENT_TRANSACTIONS, USABLE, RETRIABLE, RETRY_CALL)
                        .inDoubt(),
                row(COMMIT, Errors.NOT_COORDINATOR, USABLE, REFRESH_RETRIABLE, RETRY_CALL)
                        .inDoubt(),
                row(COMMIT, new InterruptException("woken"), COMPLETING, APPLICATION_RECOVERABLE, RETRY_CALL)
                        .inDoubt()
                        .says("clear the interrupt flag"),
                row(
                        COMMIT,
                        new InterruptException("woken in flush"),
                        ABORTED,
                        APPLICATION_RECOVERABLE,
                        ABORT_AND_REPLAY),
                row(COMMIT, Errors.PRODUCER_FENCED, COMPLETING, APPLICATION_RECOVERABLE, RECREATE)
                        .inDoubt(),
                row(COMMIT, Errors.INVALID_PRODUCER_ID_MAPPING, USABLE, APPLICATION_RECOVERABLE, RECREATE)
                        .inDoubt(),
                row(COMMIT, Errors.INVALID_PRODUCER_EPOCH, USABLE, APPLICATION_RECOVERABLE, RECREATE)
                        .inDoubt(),
                row(COMMIT, Errors.INVALID_PRODUCER_EPOCH, ABORTED, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(COMMIT, Errors.INVALID_TXN_STATE, COMPLETING, APPLICATION_RECOVERABLE, RECREATE),
                row(COMMIT, Errors.TRANSACTION_ABORTABLE, COMPLETING, ABORTABLE, ABORT_AND_REPLAY),
                row(COMMIT, Errors.TRANSACTION_ABORTABLE, UNUSABLE, ABORTABLE, RECREATE),
                row(COMMIT, abortableBecauseOf(Errors.INVALID_TXN_STATE), USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(COMMIT, new KafkaException("unhandled"), COMPLETING, APPLICATION_RECOVERABLE, RECREATE)
                        .inDoubt(),
                row(COMMIT, new KafkaException("unhandled"), UNUSABLE, APPLICATION_RECOVERABLE, RECREATE)
                        .inDoubt(),
                row(COMMIT, new KafkaException("lost batch"), ABORTED, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(COMMIT, Errors.UNKNOWN_SERVER_ERROR, COMPLETING, APPLICATION_RECOVERABLE, RECREATE)
                        .inDoubt(),
                row(COMMIT, new NullPointerException("client"), USABLE, APPLICATION_RECOVERABLE, RECREATE)
                        .inDoubt(),
                row(COMMIT, Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, COMPLETING, INVALID_CONFIGURATION, STOP)
                        .inDoubt()
                        .says(
                                "close this producer, change the permissions (Write and Describe on the transactional id),"
                                        + " then create one with the same transactional.id"),
                row(COMMIT, new SaslAuthenticationException("expired"), COMPLETING, INVALID_CONFIGURATION, STOP)
                        .inDoubt(),
                row(COMMIT, errorState(Errors.MESSAGE_TOO_LARGE), USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("max.message.bytes"),
                row(
                        COMMIT,
                        errorState(new CommitFailedException("moved")),
                        USABLE,
                        APPLICATION_RECOVERABLE,
                        ABORT_AND_REPLAY),
                row(COMMIT, errorState(Errors.FENCED_INSTANCE_ID), USABLE, APPLICATION_RECOVERABLE, STOP),
                row(COMMIT, errorState(Errors.TOPIC_AUTHORIZATION_FAILED), USABLE, INVALID_CONFIGURATION, STOP),
                row(COMMIT, errorState(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER), USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(
                        COMMIT,
                        errorState(abortableBecauseOf(Errors.REQUEST_TIMED_OUT)),
                        USABLE,
                        ABORTABLE,
                        ABORT_AND_REPLAY),
                row(COMMIT, errorState(new TimeoutException("expired")), USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(COMMIT, errorState(new KafkaException("unhandled")), USABLE, APPLICATION_RECOVERABLE, RECREATE)
                        .inDoubt(),
                row(COMMIT, new IllegalStateException("wrong thread"), USABLE, APPLICATION_RECOVERABLE, STOP),
                row(COMMIT, new IllegalStateException("closed"), COMPLETING, APPLICATION_RECOVERABLE, RECREATE)
                        .inDoubt(),
                row(COMMIT, brokenState(), USABLE, APPLICATION_RECOVERABLE, RECREATE)
                        .inDoubt());
    }

    /** Never abortable; waiting may be repeated, whatever else it meets the producer is finished. */
    static Stream<ClassifierRow> abort() {
        return Stream.of(
                row(ABORT, new TimeoutException("no answer"), COMPLETING, RETRIABLE, RETRY_CALL)
                        .says("call abort again, nothing else."),
                row(ABORT, new TimeoutException("no answer"), UNUSABLE, RETRIABLE, RECREATE),
                row(ABORT, new InterruptException("woken"), COMPLETING, APPLICATION_RECOVERABLE, RETRY_CALL),
                row(ABORT, Errors.NOT_COORDINATOR, USABLE, REFRESH_RETRIABLE, RECREATE),
                row(ABORT, Errors.TRANSACTION_ABORTABLE, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(ABORT, errorState(new TimeoutException("expired")), USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(ABORT, new KafkaException("Failed to abort"), USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(ABORT, Errors.PRODUCER_FENCED, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(ABORT, Errors.INVALID_TXN_STATE, USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(ABORT, Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED, USABLE, INVALID_CONFIGURATION, STOP),
                row(ABORT, commitTimedOutBefore("abortTransaction"), COMPLETING, APPLICATION_RECOVERABLE, RECREATE)
                        .inDoubt(),
                row(ABORT, new IllegalStateException("stale handle"), USABLE, APPLICATION_RECOVERABLE, STOP),
                row(ABORT, brokenState(), USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(CLOSE, new InterruptException("woken"), COMPLETING, APPLICATION_RECOVERABLE, RETRY_CALL)
                        .inDoubt(),
                row(CLOSE, new InterruptException("woken"), USABLE, APPLICATION_RECOVERABLE, RETRY_CALL),
                row(CLOSE, new KafkaException("interceptor"), USABLE, APPLICATION_RECOVERABLE, RECREATE));
    }

    static Stream<ClassifierRow> input() {
        return Stream.of(
                row(POLL, new TimeoutException("position"), USABLE, RETRIABLE, RETRY_CALL),
                row(POLL, Errors.UNKNOWN_LEADER_EPOCH, USABLE, RETRIABLE, RETRY_CALL),
                row(POLL, Errors.REBALANCE_IN_PROGRESS, USABLE, APPLICATION_RECOVERABLE, RETRY_CALL),
                row(POLL, new WakeupException(), USABLE, APPLICATION_RECOVERABLE, RETRY_CALL),
                row(POLL, Errors.FENCED_INSTANCE_ID, USABLE, APPLICATION_RECOVERABLE, STOP),
                row(POLL, Errors.GROUP_AUTHORIZATION_FAILED, USABLE, INVALID_CONFIGURATION, STOP),
                row(POLL, new SerializationException("bytes"), USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("change the deserializer"),
                row(POLL, noOffset(), USABLE, INVALID_CONFIGURATION, STOP).says("auto.offset.reset"),
                row(POLL, new KafkaException("corrupt batch"), USABLE, APPLICATION_RECOVERABLE, STOP),
                row(TRANSFORM, new RuntimeException("bug"), USABLE, APPLICATION_RECOVERABLE, ABORT_AND_REPLAY),
                row(TRANSFORM, new RuntimeException("bug"), UNUSABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(TRANSFORM, new TimeoutException("lookup"), USABLE, ABORTABLE, ABORT_AND_REPLAY),
                row(TRANSFORM, new SerializationException("bytes"), USABLE, INVALID_CONFIGURATION, STOP)
                        .recordLevel("dead-letter"));
    }

    /** Whatever happens to whomever: no loop of aborts, and no replay without an abort after an unanswered commit. */
    @ParameterizedTest
    @EnumSource(Errors.class)
    void noCodeLoopsAndNoneReplaysACommitThatMayHaveBeenApplied(Errors code) {
        if (code == Errors.NONE) {
            return;
        }
        Set<Action> endless = EnumSet.of(ABORT_AND_REPLAY);
        for (ErrorClassifier.Condition condition : ErrorClassifier.Condition.values()) {
            TxnError abort = ErrorClassifier.classify(ABORT, code.exception(), condition);
            TxnError commit = ErrorClassifier.classify(COMMIT, code.exception(), condition);

            assertThat(abort.category()).as("abort, %s", condition).isNotEqualTo(ABORTABLE);
            assertThat(abort.action()).as("abort, %s", condition).isNotIn(endless);
            if (commit.inDoubt()) {
                assertThat(commit.action()).as("commit, %s", condition).isNotEqualTo(ABORT_AND_REPLAY);
            }
            if (condition == ABORTED) {
                assertThat(commit.inDoubt()).as("commit, aborted since").isFalse();
            }
        }
    }

    private static Throwable errorState(Errors code) {
        return errorState(code.exception());
    }

    /** What every transactional method throws once the client has failed; the reason is its cause. */
    private static Throwable errorState(Throwable reason) {
        return new KafkaException("Cannot execute transactional method because we are in an error state", reason);
    }

    private static Throwable abortableBecauseOf(Errors code) {
        return new TransactionAbortableException("aborted after exhausting retries", code.exception());
    }

    private static Throwable bareTransactionTimeout() {
        return new KafkaException(
                "Unexpected error in InitProducerIdResponse; " + Errors.INVALID_TRANSACTION_TIMEOUT.message());
    }

    private static Throwable brokenState() {
        return new IllegalStateException(
                "Producer cannot execute transactional method because of previous invalid state transition attempt",
                new IllegalStateException("Invalid transition attempted from state READY to state FATAL_ERROR"));
    }

    private static Throwable commitTimedOutBefore(String call) {
        return new IllegalStateException("Cannot attempt operation `" + call
                + "` because the previous call to `commitTransaction` timed out and must be retried");
    }

    private static Throwable noOffset() {
        return new NoOffsetForPartitionException(new TopicPartition("in", 0));
    }
}
