package io.github.kafkatxn.metrics;

import io.micrometer.core.instrument.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The transactions that have begun and not ended, by transactional id; nothing else is kept. Safe for several threads,
 * of which a transaction has one at a time.
 */
final class OpenTransactions {
    private record Open(long sinceNanos, boolean inDoubt) {}

    private final Map<String, Open> open = new ConcurrentHashMap<>();
    private final Clock clock;

    OpenTransactions(Clock clock) {
        this.clock = clock;
    }

    /** An older transaction of the same id is over: initialising the newer producer has ended it. */
    void begin(String transactionalId) {
        open.put(transactionalId, new Open(clock.monotonicTime(), false));
    }

    /** {@return whether its commit was not in doubt before} */
    boolean toInDoubt(String transactionalId) {
        Open before = open.get(transactionalId);
        open.computeIfPresent(transactionalId, (id, transaction) -> new Open(transaction.sinceNanos, true));
        return before == null || !before.inDoubt;
    }

    /** {@return whether its commit was in doubt} */
    boolean end(String transactionalId) {
        @Nullable Open ended = open.remove(transactionalId);
        return ended != null && ended.inDoubt;
    }

    /** {@return the age of the oldest one in seconds, 0 if there is none} */
    double oldestSeconds() {
        long now = clock.monotonicTime();
        long oldest = 0;
        for (Open transaction : open.values()) {
            oldest = Math.max(oldest, now - transaction.sinceNanos);
        }
        return TimeUnit.NANOSECONDS.toMillis(oldest) / 1e3;
    }

    int count() {
        return open.size();
    }
}
