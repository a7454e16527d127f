package io.github.kafkatxn.examples.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SignalTest {
    private final Signal signal = new Signal();

    @Test
    void waitsUntilItHolds() {
        AtomicInteger asked = new AtomicInteger();
        signal.await("three", Duration.ofSeconds(20), () -> asked.incrementAndGet() == 3);
        assertThat(asked).hasValue(3);
    }

    @Test
    void saysWhatHasNotHappened() {
        assertThatExceptionOfType(JobFailure.class)
                .isThrownBy(() -> signal.await("a miracle", Duration.ZERO, () -> false))
                .withMessage("not within 0 s: a miracle");
    }

    @Test
    void endsWithTheFirstFailure() {
        JobFailure later = new JobFailure("later");
        signal.fail(new JobFailure("first"));
        signal.fail(later);
        assertThatExceptionOfType(JobFailure.class)
                .isThrownBy(() -> signal.await("a miracle", Duration.ofSeconds(20), () -> false))
                .withMessage("first")
                .satisfies(e -> assertThat(e.getSuppressed()).containsExactly(later));
    }

    @Test
    void anInterruptEndsItAndIsRestored() {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptException.class)
                .isThrownBy(() -> signal.await("a miracle", Duration.ofSeconds(20), () -> false));
        assertThat(Thread.interrupted()).isTrue();
    }
}
