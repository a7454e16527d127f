package io.github.kafkatxn.result;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.ReviewedFile;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;

/**
 * Nothing the client can throw is classified by accident. Together the two reviewed files say, for every class and
 * code, which category and action each operation answers with.
 */
class ErrorClassifierCompletenessTest {
    private static final Set<Class<?>> CATCH_ALL = Set.of(KafkaException.class, ApiException.class);

    private static final String NEW_CLASS = """
            The exceptions of kafka-clients and what the classifier makes of them have drifted apart.
            For a class or code that is new: read what the broker means by it, then list it in KnownExceptions, \
            or in exceptions-left-to-the-default.txt when no producer and no group consumer is sent it. \
            For one that has moved: check that nobody's transaction is replayed or given up because of it.""";

    private static final String NEW_DECISION = """
            The classifier decides differently from what has been reviewed.
            Check each line against the error model: no replay after a commit that may have been applied (?), no \
            loop, abort never abortable, init answered with a new producer for a fence only.""";

    @Test
    void everyExceptionOfTheClientIsListedOrLeftToTheDefaultOnPurpose() throws Exception {
        Set<String> onPurpose = new TreeSet<>(
                ReviewedFile.named("exceptions-left-to-the-default.txt").lines());

        Set<String> left = ClientExceptions.all().stream()
                .filter(type -> !CATCH_ALL.contains(type))
                .filter(type -> KnownExceptions.listed(type)
                        .filter(listed -> !CATCH_ALL.contains(listed))
                        .isEmpty())
                .map(Class::getName)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(left).as(NEW_CLASS).isEqualTo(onPurpose);
    }

    @Test
    void theKindOfEveryExceptionIsAsReviewed() throws Exception {
        List<String> kinds = ClientExceptions.all().stream()
                .map(ErrorClassifierCompletenessTest::kindLine)
                .toList();

        ReviewedFile.named("exception-kinds.txt").mustBe(kinds, NEW_CLASS);
    }

    @Test
    void everyCodeComesAsAClassThatHasBeenReviewed() throws Exception {
        List<Class<?>> reviewed = ClientExceptions.all();

        for (Errors code : Errors.values()) {
            if (code != Errors.NONE) {
                assertThat(reviewed)
                        .as("%s: %s", code, NEW_CLASS)
                        .contains(code.exception().getClass());
            }
        }
    }

    @Test
    void whatIsToldForEveryKindIsAsReviewed() {
        List<String> decisions = new ArrayList<>();
        for (Operation operation : Operation.values()) {
            for (ExceptionKind kind : ExceptionKind.values()) {
                decisions.add(decisionLine(operation, kind));
            }
        }

        ReviewedFile.named("error-decisions.txt").mustBe(decisions, NEW_DECISION);
    }

    /** Where the client has no class for what it says, the classifier reads its words: they must still be the same. */
    @Test
    void theClientStillUsesTheWordsThatAreRead() throws Exception {
        assertThat(constantsOf("TransactionManager"))
                .contains(Failure.ERROR_STATE)
                .contains(Failure.BROKEN_STATE)
                .contains(Failure.COMMIT_PENDING.split("commitTransaction", -1))
                .contains("commitTransaction");
        assertThat(constantsOf("Sender")).contains(Failure.INVALID_NEIGHBOUR);
    }

    private static String constantsOf(String internal) throws IOException {
        String file = "/org/apache/kafka/clients/producer/internals/" + internal + ".class";
        try (InputStream in = requireNonNull(Errors.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static String kindLine(Class<?> type) {
        String kind = KnownExceptions.listed(type)
                .map(listed -> KnownExceptions.kindOf(type).name())
                .orElse("-");
        String codes = ClientExceptions.codes(type).stream().map(Errors::name).collect(Collectors.joining(" "));
        return "%s %s %s".formatted(type.getName(), kind, codes).strip();
    }

    private static String decisionLine(Operation operation, ExceptionKind kind) {
        String usable = told(operation, kind, Condition.USABLE);
        String otherwise = Stream.of(Condition.values())
                .filter(condition -> !told(operation, kind, condition).equals(usable))
                .map(condition -> " " + condition + "=" + told(operation, kind, condition))
                .collect(Collectors.joining());
        return "%s %s %s %s%s".formatted(operation.name(), kind, Categories.of(operation, kind), usable, otherwise);
    }

    private static String told(Operation operation, ExceptionKind kind, Condition condition) {
        TxnError error = ErrorClassifier.error(operation, new Failure(new KafkaException("any"), kind), condition);
        return error.action() + (error.inDoubt() ? "?" : "") + (error.recordLevel() ? "!" : "");
    }
}
