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
import static io.github.kafkatxn.result.ErrorClassifier.Condition.UNUSABLE;
import static io.github.kafkatxn.result.ErrorClassifier.Condition.USABLE;
import static io.github.kafkatxn.result.Operation.ABORT;
import static io.github.kafkatxn.result.Operation.CLOSE;
import static io.github.kafkatxn.result.Operation.COMMIT;
import static io.github.kafkatxn.result.Thrown.abortableBecauseOf;
import static io.github.kafkatxn.result.Thrown.brokenState;
import static io.github.kafkatxn.result.Thrown.commitTimedOutBefore;
import static io.github.kafkatxn.result.Thrown.errorState;

import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is told of the calls that end a transaction. */
class ErrorClassifierEndTest {

    /** An {@link InterruptException} sets the flag of the thread that makes it. */
    @AfterEach
    void clearInterruptFlag() {
        Thread.interrupted();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"commit", "abort"})
    void tellsCategoryAndAction(ClassifierRow row) {
        row.check();
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
                row(ABORT, new IllegalStateException("closed"), COMPLETING, APPLICATION_RECOVERABLE, RECREATE),
                row(ABORT, new IllegalStateException("stale handle"), USABLE, APPLICATION_RECOVERABLE, STOP),
                row(ABORT, brokenState(), USABLE, APPLICATION_RECOVERABLE, RECREATE),
                row(CLOSE, new InterruptException("woken"), COMPLETING, APPLICATION_RECOVERABLE, RECREATE)
                        .inDoubt(),
                row(CLOSE, new InterruptException("woken"), USABLE, APPLICATION_RECOVERABLE, RETRY_CALL),
                row(CLOSE, new KafkaException("interceptor"), USABLE, APPLICATION_RECOVERABLE, RECREATE));
    }
}
