package io.github.kafkatxn.internal.wire;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Remembers values for as long as they are used. For one thread at a time. */
final class IdleCache<K, V> {
    private record Entry<V>(V value, long usedNanos) {}

    private final Map<K, Entry<V>> entries = new HashMap<>();
    private final long maxIdleNanos;

    IdleCache(Duration maxIdle) {
        this.maxIdleNanos = maxIdle.toNanos();
    }

    /** {@return the value, which is used now; null if there is none or it was not used for too long} */
    @Nullable
    V use(K key) {
        Entry<V> entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        long now = System.nanoTime();
        if (now - entry.usedNanos() > maxIdleNanos) {
            entries.remove(key);
            return null;
        }
        put(key, entry.value());
        return entry.value();
    }

    /** Remembers a value, and forgets those that were not used for too long. */
    void learn(K key, V value) {
        long now = System.nanoTime();
        entries.values().removeIf(entry -> now - entry.usedNanos() > maxIdleNanos);
        put(key, value);
    }

    void forget(K key) {
        entries.remove(key);
    }

    private void put(K key, V value) {
        entries.put(key, new Entry<>(value, System.nanoTime()));
    }
}
