package io.github.kafkatxn.examples.job;

import io.github.kafkatxn.processor.Guarantee;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What one process of an instance has said so far. Written by one thread, read by any. */
final class Heard {
    private final Set<Delivery> again = ConcurrentHashMap.newKeySet();
    private volatile Tally tally = new Tally();
    private volatile @Nullable Guarantee guarantee;
    private volatile @Nullable Held held;
    private volatile String stopped = "without saying why";

    /** Takes in a line; one it does not know says nothing. */
    void hear(String line) {
        if (line.startsWith(Instance.REPORT)) {
            Tally.parse(line.substring(Instance.REPORT.length())).ifPresent(report -> tally = report);
        } else if (line.startsWith(Instance.STARTED)) {
            guarantee = Guarantee.valueOf(line.substring(Instance.STARTED.length()));
        } else if (line.startsWith(Instance.AGAIN)) {
            again.add(Delivery.parse(line.substring(Instance.AGAIN.length())));
        } else if (line.startsWith(Instance.HOLDING)) {
            held = Held.parse(line.substring(Instance.HOLDING.length()));
        } else if (line.startsWith(Instance.STOPPED)) {
            stopped = line;
        }
    }

    /** The last report. */
    Tally tally() {
        return tally;
    }

    /** What it can promise; nothing before it works. */
    Optional<Guarantee> guarantee() {
        return Optional.ofNullable(guarantee);
    }

    /** Where a lane stands still in mid-transaction. */
    Optional<Held> held() {
        return Optional.ofNullable(held);
    }

    /** Whether it was given a record after that delivery. */
    boolean hasAfter(Delivery delivery) {
        return again.stream().anyMatch(delivery::isBefore);
    }

    /** Why it has stopped. */
    String stopped() {
        return stopped;
    }
}
