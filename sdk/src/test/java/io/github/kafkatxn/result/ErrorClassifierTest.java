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
import static io.github.kafkatxn.result.Operation.COMMIT;
import static io.github.kafkatxn.result.Operation.INIT;
import static io.github.kafkatxn.result.Operation.POLL;
import static io.github.kafkatxn.result.Operation.TRANSFORM;
import static io.github.kafkatxn.result.Thrown.bareTransactionTimeout;
import static io.github.kafkatxn.result.Thrown.commitTimedOutBefore;
import static io.github.kafkatxn.result.Thrown.errorState;
import static io.github.kafkatxn.result.Thrown.noOffset;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is told outside of a transaction, and what holds for every error code. */
class ErrorClassifierTest {

    /** An {@link InterruptException} sets the flag of the thread that makes it. */
    @AfterEach
    void clearInterruptFlag() {
        Thread.interrupted();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"init", "begin", "input"})
    void tellsCategoryAndAction(ClassifierRow row) {
        row.check();
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
}
