package io.github.kafkatxn.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StopSignalTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final StopSignal stop = new StopSignal(Duration.ofHours(4));

    @Test
    void isRequestedOnce() {
        assertThat(stop.isRequested()).isFalse();
        assertThat(stop.request()).isTrue();
        assertThat(stop.request()).isFalse();
        assertThat(stop.isRequested()).isTrue();
    }

    @Test
    void noRecordIsBegunAfterAQuarterOfTheTime() {
        assertThat(stop.graceIsOver(System.nanoTime() + HOUR.multipliedBy(2).toNanos()))
                .as("nobody has asked")
                .isFalse();

        long before = System.nanoTime();
        stop.request();
        long after = System.nanoTime();

        assertThat(stop.graceIsOver(before + HOUR.toNanos() - 1)).isFalse();
        assertThat(stop.graceIsOver(after + HOUR.toNanos())).isTrue();
    }

    @Test
    void theTimeThatRemainsRunsFromTheFirstRequest() {
        assertThat(stop.remaining()).isEqualTo(Duration.ofHours(4));

        stop.request();

        assertThat(stop.remaining()).isBetween(Duration.ofHours(3), Duration.ofHours(4));
        while (stop.remaining().equals(Duration.ofHours(4))) {
            Thread.onSpinWait();
        }
    }

    @Test
    void theTimeThatRemainsIsNeverNegative() {
        StopSignal shortest = new StopSignal(Duration.ofNanos(1));
        shortest.request();

        assertThat(shortest.pause(Duration.ofMillis(5))).isFalse();
        assertThat(shortest.remaining()).isBetween(Duration.ZERO, Duration.ofNanos(1));
    }

    @Test
    void aPauseLastsItsTimeUnlessItIsToStop() {
        long begun = System.nanoTime();
        assertThat(stop.pause(Duration.ofMillis(20))).isTrue();
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));

        stop.request();
        assertThat(stop.pause(HOUR)).isFalse();
    }

    @Test
    void aRequestEndsAPauseAndAWait() throws Exception {
        CompletableFuture<Boolean> pause = CompletableFuture.supplyAsync(() -> stop.pause(HOUR));
        CompletableFuture<Void> wait = CompletableFuture.runAsync(() -> {
            try {
                stop.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });

        stop.request();

        assertThat(pause.get(30, TimeUnit.SECONDS)).isFalse();
        wait.get(30, TimeUnit.SECONDS);
    }

    @Test
    void anInterruptAsksForAStopAndIsKept() {
        Thread.currentThread().interrupt();

        assertThat(stop.pause(HOUR)).isFalse();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(stop.isRequested()).isTrue();
    }
}
