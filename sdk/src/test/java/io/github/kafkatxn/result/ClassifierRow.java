package io.github.kafkatxn.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.result.ErrorClassifier.Condition;
import org.apache.kafka.common.protocol.Errors;

/** One line of the error model: what is thrown where, and what the caller is told. */
record ClassifierRow(
        Operation operation,
        Throwable thrown,
        Condition condition,
        ErrorCategory category,
        Action action,
        boolean isInDoubt,
        boolean isRecordLevel,
        String nextStep) {

    static ClassifierRow row(
            Operation operation, Throwable thrown, Condition condition, ErrorCategory category, Action action) {
        return new ClassifierRow(operation, thrown, condition, category, action, false, false, "");
    }

    static ClassifierRow row(
            Operation operation, Errors code, Condition condition, ErrorCategory category, Action action) {
        return row(operation, code.exception(), condition, category, action);
    }

    ClassifierRow inDoubt() {
        return new ClassifierRow(operation, thrown, condition, category, action, true, isRecordLevel, nextStep);
    }

    ClassifierRow recordLevel(String words) {
        return new ClassifierRow(operation, thrown, condition, category, action, isInDoubt, true, words);
    }

    ClassifierRow says(String words) {
        return new ClassifierRow(operation, thrown, condition, category, action, isInDoubt, isRecordLevel, words);
    }

    void check() {
        TxnError error = ErrorClassifier.classify(operation, thrown, condition);

        assertThat(error.category()).as("category").isEqualTo(category);
        assertThat(error.action()).as("action").isEqualTo(action);
        assertThat(error.inDoubt()).as("in doubt").isEqualTo(isInDoubt);
        assertThat(error.recordLevel()).as("record level").isEqualTo(isRecordLevel);
        assertThat(error.message()).startsWith(operation + " failed (" + category + "): ");
        assertThat(error.message()).contains(" Next: ").contains(nextStep).endsWith(".");
    }

    @Override
    public String toString() {
        Throwable cause = thrown.getCause();
        String inner = cause == null ? "" : "(" + cause.getClass().getSimpleName() + ")";
        return operation + " " + thrown.getClass().getSimpleName() + inner + " " + condition + " -> " + category + " "
                + action;
    }
}
