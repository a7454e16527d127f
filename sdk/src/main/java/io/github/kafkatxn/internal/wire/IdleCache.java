package io.github.kafkatxn.internal.wire;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Remembers values for as long as they are used. For one thread at a time. */
final class IdleCache<K, V> {
    private record Entry<V>(V value, long usedNanos) {}

    private final Map<K, Entry<V>> entries = new HashMap<>();
    private final long maxIdleNanos;
    private final LongSupplier nanoTime;

    IdleCache(Duration maxIdle) {
        this(maxIdle, System::nanoTime);
    }

    /**
     * With a clock of its own.
     *
     * @param maxIdle for how long a value is kept that is not used; more than 292 years are as good as for ever
     * @param nanoTime the clock
     */
    IdleCache(Duration maxIdle, LongSupplier nanoTime) {
        this.maxIdleNanos = TimeUnit.NANOSECONDS.convert(maxIdle);
        this.nanoTime = nanoTime;
    }

    /** {@return the value, which is used now; null if there is none or it was not used for too long} */
    @Nullable
    V use(K key) {
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        long now = nanoTime.getAsLong();
        if (now - entry.usedNanos() > maxIdleNanos) {
            entries.remove(key);
            return null;
        }
        entries.put(key, new Entry<>(entry.value(), now));
        return entry.value();
    }

    /** Remembers a value, and forgets those that were not used for too long. */
    void learn(K key, V value) {
        long now = nanoTime.getAsLong();
        entries.values().removeIf(entry -> now - entry.usedNanos() > maxIdleNanos);
        entries.put(key, new Entry<>(value, now));
    }

    void forget(K key) {
        entries.remove(key);
    }
}
