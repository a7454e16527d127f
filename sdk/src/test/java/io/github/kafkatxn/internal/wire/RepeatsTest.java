package io.github.kafkatxn.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long to wait before an attempt, and when there is no other. */
class RepeatsTest {
    private final List<Long> pauses = new ArrayList<>();
    private final List<RuntimeException> told = new ArrayList<>();
    private final Repeats repeats = repeats((millis, deadline) -> pauses.add(millis));

    /** It is gone in a millisecond or two, and the transaction waits. */
    @ParameterizedTest
    @EnumSource(names = {"CONCURRENT_TRANSACTIONS", "COORDINATOR_LOAD_IN_PROGRESS"})
    void whatTheTransactionBeforeHasLeftIsWaitedForBriefly(Errors left) {
        run(left, left, left, left, left, left, left, left);

        assertPauses(2, 4, 8, 16, 32, 64, 100, 100);
        assertThat(told).hasSize(8).hasOnlyElementsOfType(left.exception().getClass());
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "UNKNOWN_TOPIC_ID",
                "UNKNOWN_TOPIC_OR_PARTITION",
                "NOT_COORDINATOR",
                "COORDINATOR_NOT_AVAILABLE",
                "REQUEST_TIMED_OUT",
                "NETWORK_EXCEPTION"
            })
    void anythingElseAsLongAsTheProducerWould(Errors error) {
        run(error, error, error, error, error, error);

        assertPauses(100, 200, 400, 800, 1_000, 1_000);
    }

    @Test
    void theOneWaitDoesNotGrowWithTheOther() {
        run(
                Errors.NOT_COORDINATOR,
                Errors.CONCURRENT_TRANSACTIONS,
                Errors.NOT_COORDINATOR,
                Errors.CONCURRENT_TRANSACTIONS);

        assertPauses(100, 2, 200, 4);
    }

    @Test
    void whatSucceedsIsNotRepeated() {
        run();

        assertThat(pauses).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void afterTheDeadlineThereIsNoWait() {
        assertLate(repeats, Deadline.in(Duration.ZERO));

        assertThat(pauses).isEmpty();
        assertThat(told).isEmpty();
    }

    /** Another attempt would only be told that the time is over, and what has kept this one would be lost. */
    @Test
    void afterAWaitThatTheDeadlineHasEndedThereIsNoAttempt() {
        Repeats late = repeats((millis, deadline) -> {
            while (!deadline.hasPassed()) {
                Thread.onSpinWait();
            }
        });

        assertLate(late, Deadline.in(Duration.ofMillis(50)));
    }

    private void run(Errors... failures) {
        List<Errors> left = new ArrayList<>(List.of(failures));
        Supplier<@Nullable RetriableException> attempt = () ->
                left.isEmpty() ? null : (RetriableException) left.remove(0).exception();
        repeats.until(attempt, last -> last, told::add, Deadline.in(Duration.ofHours(1)));
        assertThat(left).isEmpty();
    }

    /** One attempt is made, and what it has failed with is what is thrown. */
    private void assertLate(Repeats late, Deadline deadline) {
        List<RetriableException> attempts = new ArrayList<>();
        assertThatThrownBy(() -> late.until(
                        () -> {
                            attempts.add(new UnknownTopicIdException("attempt " + attempts.size()));
                            return attempts.get(attempts.size() - 1);
                        },
                        last -> new IllegalStateException("late", last),
                        told::add,
                        deadline))
                .hasMessage("late")
                .cause()
                .hasMessage("attempt 0");
        assertThat(attempts).hasSize(1);
    }

    /** A fifth more or less, so that not all come back at once; in whole milliseconds. */
    private void assertPauses(long... around) {
        assertThat(pauses).hasSize(around.length);
        for (int i = 0; i < around.length; i++) {
            assertThat(pauses.get(i)).as("pause %d", i).isBetween((long) (around[i] * 0.8), (long)
                    Math.ceil(around[i] * 1.2));
        }
    }

    private static Repeats repeats(Repeats.Pause pause) {
        return new Repeats(
                BrokerConnections.config(Map.of(
                        "bootstrap.servers",
                        "localhost:1",
                        "transactional.id",
                        "id",
                        "retry.backoff.ms",
                        100,
                        "retry.backoff.max.ms",
                        1_000)),
                pause);
    }
}
