package io.github.kafkatxn.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TxnResultTest {
    private static final Map<ErrorCategory, Class<?>> VARIANT = Map.of(
            ErrorCategory.RETRIABLE, TxnResult.Retriable.class,
            ErrorCategory.REFRESH_RETRIABLE, TxnResult.RefreshRetriable.class,
            ErrorCategory.ABORTABLE, TxnResult.Abortable.class,
            ErrorCategory.APPLICATION_RECOVERABLE, TxnResult.ApplicationRecoverable.class,
            ErrorCategory.INVALID_CONFIGURATION, TxnResult.InvalidConfiguration.class);

    @ParameterizedTest
    @EnumSource(ErrorCategory.class)
    void aFailureIsInTheVariantOfItsCategory(ErrorCategory category) {
        TxnError error = error(category);

        TxnResult<String> result = TxnResult.failure(error);

        assertThat(result).isInstanceOf(VARIANT.get(category));
        assertThat(result.isSuccess()).isFalse();
        assertThat(result.error()).containsSame(error);
        assertThat(result.action()).contains(error.action());
    }

    @ParameterizedTest
    @EnumSource(ErrorCategory.class)
    void foldCallsTheOneFunctionThatFits(ErrorCategory category) {
        TxnResult<String> result = TxnResult.failure(error(category));

        String called = result.fold(
                value -> "SUCCESS",
                error -> "RETRIABLE",
                error -> "REFRESH_RETRIABLE",
                error -> "ABORTABLE",
                error -> "APPLICATION_RECOVERABLE",
                error -> "INVALID_CONFIGURATION");

        assertThat(called).isEqualTo(category.name());
    }

    @Test
    void foldGivesTheValueOfASuccess() {
        TxnResult<String> result = TxnResult.success("offset 7");
        Function<TxnError, String> never = error -> {
            throw new AssertionError(error);
        };

        assertThat(result.fold(value -> value, never, never, never, never, never))
                .isEqualTo("offset 7");
        assertThat(result.fold(value -> value, never)).isEqualTo("offset 7");
    }

    @Test
    void aSuccessHasNoErrorAndNoAction() {
        TxnResult<String> result = TxnResult.success("done");

        assertThat(result).isInstanceOf(TxnResult.Success.class);
        assertThat(result.isSuccess()).isTrue();
        assertThat(result.error()).isEmpty();
        assertThat(result.action()).isEmpty();
    }

    @Test
    void orElseThrowGivesTheValueOfASuccess() {
        assertThat(TxnResult.success("done").orElseThrow()).isEqualTo("done");
    }

    @ParameterizedTest
    @EnumSource(ErrorCategory.class)
    void orElseThrowCarriesTheErrorOfAFailure(ErrorCategory category) {
        TxnError error = error(category);
        TxnResult<String> result = TxnResult.failure(error);

        assertThatThrownBy(result::orElseThrow)
                .isInstanceOfSatisfying(
                        TxnException.class, thrown -> assertThat(thrown.error()).isSameAs(error))
                .hasMessage(error.message())
                .hasCause(error.cause());
    }

    /** A new variant breaks every caller's dispatch: it is a change of the public contract, not of this list. */
    @Test
    void thereAreSixVariants() {
        assertThat(TxnResult.class.getPermittedSubclasses())
                .containsExactlyInAnyOrder(
                        TxnResult.Success.class,
                        TxnResult.Retriable.class,
                        TxnResult.RefreshRetriable.class,
                        TxnResult.Abortable.class,
                        TxnResult.ApplicationRecoverable.class,
                        TxnResult.InvalidConfiguration.class);
    }

    @Test
    void failuresPerPartitionAreCopied() {
        TopicPartition partition = new TopicPartition("in", 0);
        Map<TopicPartition, Throwable> failures = new HashMap<>();
        failures.put(partition, new RecordTooLargeException("too large"));

        TxnError error = error(ErrorCategory.ABORTABLE).withPartitions(failures);
        failures.clear();

        assertThat(error.partitions()).containsOnlyKeys(partition);
        assertThat(error.message()).isEqualTo(error(ErrorCategory.ABORTABLE).message());
    }

    private static TxnError error(ErrorCategory category) {
        Throwable cause = new RecordTooLargeException("too large");
        return new TxnError(
                Operation.SEND, category, Action.STOP, cause, Map.of(), false, true, "send failed: too large.");
    }
}
