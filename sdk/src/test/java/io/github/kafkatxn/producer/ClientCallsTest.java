package io.github.kafkatxn.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ClientCallsTest {
    private final List<Operation> retries = new ArrayList<>();
    private final AtomicInteger made = new AtomicInteger();
    private @Nullable ClientCalls open;

    @AfterEach
    void close() {
        assertThat(Thread.interrupted()).as("interrupt flag").isFalse();
        if (open != null) {
            open.close();
        }
    }

    @Test
    void repeatsWhatPassesUntilItIsAnswered() {
        ClientCalls calls = calls(attempts(10));

        assertThat(calls.untilAnswered(Operation.COMMIT, in(10), failingTimes(3)))
                .isNull();

        assertThat(made).hasValue(4);
        assertThat(retries).containsExactly(Operation.COMMIT, Operation.COMMIT, Operation.COMMIT);
    }

    @Test
    void doesNotRepeatWhatDoesNotPass() {
        ProducerFencedException fenced = new ProducerFencedException("fenced");

        assertThat(calls(attempts(10)).untilAnswered(Operation.COMMIT, in(10), () -> {
                    made.incrementAndGet();
                    throw fenced;
                }))
                .isSameAs(fenced);

        assertThat(made).hasValue(1);
    }

    @Test
    void endsAfterItsAttempts() {
        assertThat(calls(attempts(3)).untilAnswered(Operation.ABORT, in(10), failingTimes(99)))
                .isInstanceOf(TimeoutException.class);

        assertThat(made).hasValue(3);
    }

    /** Whatever the intervals are: a wait is cut at the deadline. */
    @Test
    void endsAtItsDeadline() {
        ClientCalls calls = calls(RetryConfig.custom()
                .maxAttempts(99)
                .intervalFunction(IntervalFunction.of(Duration.ofHours(1)))
                .build());

        assertThat(calls.untilAnswered(Operation.ABORT, Deadline.in(Duration.ofMillis(100)), failingTimes(99)))
                .isInstanceOf(TimeoutException.class);
    }

    @Test
    void endsACallThatDoesNotEndByItself() {
        RuntimeException failure =
                calls(attempts(10)).once(Operation.SEND, Deadline.in(Duration.ofMillis(50)), this::blocks);

        assertThat(failure).isInstanceOf(TimeoutException.class).hasMessageContaining("50 ms");
    }

    @Test
    void anInterruptDoesNotEndACallAndIsThereAfterwards() {
        ClientCalls calls = calls(attempts(10));
        Thread.currentThread().interrupt();

        RuntimeException failure = calls.once(Operation.COMMIT, in(10), () -> {
            if (made.incrementAndGet() == 1) {
                Thread.currentThread().interrupt();
                blocks();
            }
        });

        assertThat(failure).isNull();
        assertThat(made).hasValue(2);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anInterruptDoesNotEndTheWaitBetweenTwoAttempts() {
        Thread owner = Thread.currentThread();
        ClientCalls calls = calls(RetryConfig.custom()
                .maxAttempts(99)
                .intervalFunction(IntervalFunction.of(Duration.ofMillis(200)))
                .build());
        Runnable call = failingTimes(1);

        RuntimeException failure = calls.untilAnswered(Operation.COMMIT, in(10), () -> {
            if (made.get() == 0) {
                interruptWhileSleeping(owner);
            }
            call.run();
        });

        assertThat(failure).isNull();
        assertThat(made).hasValue(2);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anErrorIsThrownOnAndNothingStaysWatched() {
        ClientCalls calls = calls(attempts(10));

        assertThatThrownBy(() -> calls.once(Operation.SEND, Deadline.in(Duration.ofMillis(1)), () -> {
                    throw new AssertionError("of the client");
                }))
                .hasMessage("of the client");

        // Would be interrupted by now if it were.
        assertThat(calls.once(Operation.SEND, in(10), () -> spin(Duration.ofMillis(100))))
                .isNull();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    /** The answer counts, not what a listener to the retries makes of it. */
    @Test
    void anEventConsumerThatThrowsDoesNotHideTheAnswer() {
        ClientCalls calls = calls(attempts(10));
        calls.retryEvents().onSuccess(event -> {
            throw new IllegalStateException("of the consumer");
        });

        assertThat(calls.untilAnswered(Operation.COMMIT, in(10), failingTimes(1)))
                .isNull();
        assertThat(made).hasValue(2);
    }

    @Test
    void anEventConsumerThatThrowsEndsTheRetries() {
        ClientCalls calls = calls(attempts(10));
        calls.retryEvents().onRetry(event -> {
            throw new IllegalStateException("of the consumer");
        });

        assertThat(calls.untilAnswered(Operation.COMMIT, in(10), failingTimes(9)))
                .isInstanceOf(TimeoutException.class);
        assertThat(made).hasValue(1);
    }

    private ClientCalls calls(RetryConfig retry) {
        TransactionListener listener = new TransactionListener() {
            @Override
            public void onRetry(String transactionalId, Operation operation, Throwable cause) {
                retries.add(operation);
            }

            @Override
            public void onEnd(
                    String transactionalId, Outcome outcome, TransactionStats stats, Optional<TxnError> error) {
                throw new AssertionError("no transaction has ended");
            }
        };
        ProducerSettings settings = ProducerSettings.builder()
                .bootstrapServers("localhost:9092")
                .transactionalId("id")
                .retry(retry)
                .build();
        open = new ClientCalls(settings, new ListenerHub("id", List.of(listener)));
        return open;
    }

    private static RetryConfig attempts(int max) {
        return RetryConfig.custom()
                .maxAttempts(max)
                .intervalFunction(IntervalFunction.of(Duration.ofMillis(1)))
                .build();
    }

    private Runnable failingTimes(int times) {
        return () -> {
            if (made.incrementAndGet() <= times) {
                throw new TimeoutException("not yet");
            }
        };
    }

    private static Deadline in(int seconds) {
        return Deadline.in(Duration.ofSeconds(seconds));
    }

    /** As the client waits: an interrupt is thrown as its own exception, which sets the flag again. */
    private void blocks() {
        try {
            boolean ended = new CountDownLatch(1).await(20, TimeUnit.SECONDS);
            assertThat(ended).as("end of a wait without end").isTrue();
        } catch (InterruptedException e) {
            throw new InterruptException("interrupted", e);
        }
    }

    private static void interruptWhileSleeping(Thread owner) {
        Thread interrupter = new Thread(() -> {
            while (owner.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            owner.interrupt();
        });
        interrupter.setDaemon(true);
        interrupter.start();
    }

    private static void spin(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }
}
