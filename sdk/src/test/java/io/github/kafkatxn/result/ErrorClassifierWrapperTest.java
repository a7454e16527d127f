package io.github.kafkatxn.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.result.ErrorClassifier.Condition;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/** Which exceptions are looked through, and what becomes of the cause. */
class ErrorClassifierWrapperTest {
    private static final String ERROR_STATE = "Cannot execute transactional method because we are in an error state";

    @Test
    void theOutermostExceptionDecides() {
        Throwable abortable = new TransactionAbortableException("aborted", new ProducerFencedException("fenced"));

        TxnError error = classify(Operation.SEND, abortable);

        assertThat(error.category()).isEqualTo(ErrorCategory.ABORTABLE);
        assertThat(error.cause()).isSameAs(abortable);
    }

    @Test
    void theErrorStateWrapperIsLookedThroughOneLevelOnly() {
        Throwable inner = new KafkaException(ERROR_STATE, new TopicAuthorizationException("out"));

        TxnError once = classify(Operation.COMMIT, inner);
        TxnError twice = classify(Operation.COMMIT, new KafkaException(ERROR_STATE, inner));

        assertThat(once.cause()).isInstanceOf(TopicAuthorizationException.class);
        assertThat(twice.cause()).isSameAs(inner);
        assertThat(twice.action()).isEqualTo(Action.RECREATE);
    }

    @Test
    void anyOtherKafkaExceptionIsNotAWrapper() {
        Throwable bare = new KafkaException("Failed to abort transaction", new TimeoutException("late"));

        TxnError error = classify(Operation.COMMIT, bare);

        assertThat(error.cause()).isSameAs(bare);
        assertThat(error.action()).isEqualTo(Action.RECREATE);
        assertThat(error.message()).contains("Caused by TimeoutException: late.");
    }

    @Test
    void futuresAreLookedThroughAndTheErrorStateBehindThemToo() {
        Throwable reason = new TopicAuthorizationException("out");
        Throwable failed = new CompletionException(new ExecutionException(new KafkaException(ERROR_STATE, reason)));

        TxnError error = classify(Operation.SEND, failed);

        assertThat(error.cause()).isSameAs(reason);
        assertThat(error.action()).isEqualTo(Action.STOP);
    }

    @Test
    void aFutureThatFailedWithoutACauseStaysAsItIs() {
        Throwable failed = new CompletionException("no cause", null);

        assertThat(classify(Operation.SEND, failed).cause()).isSameAs(failed);
    }

    @Test
    void whatHasBeenClassifiedKeepsItsError() {
        TxnError fenced = classify(Operation.SEND, new ProducerFencedException("fenced"));

        TxnError error = classify(Operation.TRANSFORM, new ExecutionException(new TxnException(fenced)));

        assertThat(error).isSameAs(fenced);
    }

    /** A transform that drives another producer must not make the loop repeat its own commit. */
    @Test
    void repeatingTheCallOfAnotherProducerIsNotPassedOn() {
        TxnError elsewhere = classify(Operation.COMMIT, new TimeoutException("late"));

        TxnError error = classify(Operation.TRANSFORM, new TxnException(elsewhere));

        assertThat(elsewhere.action()).isEqualTo(Action.RETRY_CALL);
        assertThat(error.operation()).isEqualTo(Operation.TRANSFORM);
        assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
        assertThat(error.inDoubt()).isFalse();
    }

    @Test
    void theInstanceThatAllFailuresOfACodeShareIsNotHandedOut() {
        Throwable shared = Errors.PRODUCER_FENCED.exception();

        TxnError error = classify(Operation.COMMIT, shared);
        error.cause().addSuppressed(new IllegalStateException("abort failed"));

        assertThat(error.cause()).isInstanceOf(ProducerFencedException.class).hasMessage(shared.getMessage());
        assertThat(shared.getSuppressed()).isEmpty();
    }

    @Test
    void anExceptionOfItsOwnIsHandedOutAsItIs() {
        Throwable thrown = new RecordTooLargeException("5 MB");

        assertThat(classify(Operation.SEND, thrown).cause()).isSameAs(thrown);
    }

    private static TxnError classify(Operation operation, Throwable failure) {
        return ErrorClassifier.classify(operation, failure, Condition.USABLE);
    }
}
