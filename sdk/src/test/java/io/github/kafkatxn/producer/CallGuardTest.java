package io.github.kafkatxn.producer;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.producer.CallGuard.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CallGuardTest {
    private static final String WATCHDOG = "kafka-txn-call-guard";

    @AfterEach
    void nothingIsLeft() {
        assertThat(Thread.interrupted()).as("interrupt flag").isFalse();
        awaitWatchdog(false);
    }

    @Test
    void interruptsTheCallOnceItsDeadlineHasPassed() {
        try (CallGuard guard = CallGuard.open()) {
            long start = System.nanoTime();
            guard.arm(start + Duration.ofMillis(50).toNanos());

            assertThat(waitForInterrupt()).isTrue();

            assertThat(System.nanoTime() - start)
                    .isGreaterThanOrEqualTo(Duration.ofMillis(50).toNanos());
            assertThat(guard.disarm()).isEqualTo(Verdict.LATE);
            assertThat(Thread.currentThread().isInterrupted())
                    .as("flag after disarm")
                    .isFalse();
        }
    }

    @Test
    void leavesACallAloneThatIsInTime() {
        try (CallGuard guard = CallGuard.open()) {
            guard.arm(System.nanoTime() + Duration.ofHours(1).toNanos());

            assertThat(guard.disarm()).isEqualTo(Verdict.IN_TIME);
        }
    }

    /**
     * Deadlines pass while calls end and begin, under watchdogs that never rest and whose clocks are a little ahead.
     */
    @Test
    void neverFiresAfterDisarmNorIntoTheNextCall() throws InterruptedException {
        try (CallGuard guard = CallGuard.open()) {
            AtomicBoolean over = new AtomicBoolean();
            List<Thread> watchdogs = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Thread watchdog = new Thread(() -> {
                    while (!over.get()) {
                        guard.fireIfLate(System.nanoTime() + 1_000_000);
                    }
                });
                watchdog.start();
                watchdogs.add(watchdog);
            }
            long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            try {
                while (System.nanoTime() < end) {
                    guard.arm(System.nanoTime());
                    guard.disarm();
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    guard.arm(System.nanoTime() + Duration.ofHours(1).toNanos());
                    assertThat(guard.disarm()).isEqualTo(Verdict.IN_TIME);
                }
            } finally {
                over.set(true);
                for (Thread watchdog : watchdogs) {
                    watchdog.join();
                }
            }
        }
    }

    @Test
    void keepsAnInterruptOfSomebodyElseInTime() {
        try (CallGuard guard = CallGuard.open()) {
            guard.arm(System.nanoTime() + Duration.ofHours(1).toNanos());
            Thread.currentThread().interrupt();

            assertThat(guard.disarm()).isEqualTo(Verdict.IN_TIME);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void tellsOfAnInterruptOfSomebodyElseThatCameBefore() {
        try (CallGuard guard = CallGuard.open()) {
            Thread.currentThread().interrupt();
            guard.arm(System.nanoTime());
            Verdict verdict = Verdict.IN_TIME;
            while (verdict == Verdict.IN_TIME) {
                // A call that does not look at the flag.
                long end = System.nanoTime() + Duration.ofMillis(100).toNanos();
                while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                }
                verdict = guard.disarm();
            }
            assertThat(verdict).isEqualTo(Verdict.LATE_AND_INTERRUPTED);
        }
    }

    @Test
    void aWatchedCallStaysWatchedWhenAnotherThreadClosesTheGuard() throws InterruptedException {
        CallGuard guard = CallGuard.open();
        guard.arm(System.nanoTime() + Duration.ofMillis(200).toNanos());
        Thread closer = new Thread(guard::close);
        closer.start();
        closer.join();
        awaitWatchdog(true);

        assertThat(waitForInterrupt()).isTrue();

        assertThat(guard.disarm()).isEqualTo(Verdict.LATE);
    }

    @Test
    void aCallThatBeginsAfterTheCloseIsWatchedToo() {
        CallGuard guard = CallGuard.open();
        guard.close();
        awaitWatchdog(false);
        guard.arm(System.nanoTime() + Duration.ofMillis(20).toNanos());

        assertThat(waitForInterrupt()).isTrue();

        assertThat(guard.disarm()).isEqualTo(Verdict.LATE);
    }

    @Test
    void oneWatchdogServesAllGuardsAndEndsWithTheLast() {
        CallGuard first = CallGuard.open();
        CallGuard second = CallGuard.open();
        awaitWatchdog(true);
        first.close();
        assertThat(watchdogs()).isEqualTo(1);
        second.close();
        awaitWatchdog(false);

        try (CallGuard third = CallGuard.open()) {
            awaitWatchdog(true);
            assertThat(third.disarm()).as("never armed").isEqualTo(Verdict.IN_TIME);
        }
    }

    private static boolean waitForInterrupt() {
        try {
            new CountDownLatch(1).await();
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    private static long watchdogs() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(WATCHDOG))
                .count();
    }

    private static void awaitWatchdog(boolean there) {
        long end = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (watchdogs() != (there ? 1 : 0)) {
            assertThat(System.nanoTime()).as("watchdog there: %s", there).isLessThan(end);
            LockSupport.parkNanos(1_000_000);
        }
    }
}
