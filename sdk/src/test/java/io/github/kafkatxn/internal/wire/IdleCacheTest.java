package io.github.kafkatxn.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class IdleCacheTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // The clock may overflow.

    @Test
    void whatIsNotUsedIsForgotten() {
        IdleCache<String, Integer> cache = new IdleCache<>(Duration.ofMillis(10), now::get);
        cache.learn("a", 1);
        pass(10);
        assertThat(cache.use("a")).isEqualTo(1);
        pass(10);
        assertThat(cache.use("a")).as("used in between").isEqualTo(1);
        pass(11);
        assertThat(cache.use("a")).isNull();
    }

    @Test
    void whatIsLearnedAnewIsUsed() {
        IdleCache<String, Integer> cache = new IdleCache<>(Duration.ofMillis(10), now::get);
        cache.learn("a", 1);
        pass(9);
        cache.learn("a", 2);
        pass(9);
        assertThat(cache.use("a")).isEqualTo(2);
        cache.forget("a");
        assertThat(cache.use("a")).isNull();
    }

    /** The largest value of {@code metadata.max.idle.ms}. */
    @Test
    void theLongestTimeIsForEver() {
        IdleCache<String, Integer> cache = new IdleCache<>(Duration.ofMillis(Long.MAX_VALUE), now::get);
        cache.learn("a", 1);
        pass(TimeUnit.DAYS.toMillis(36_500));
        assertThat(cache.use("a")).isEqualTo(1);
    }

    private void pass(long millis) {
        now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
