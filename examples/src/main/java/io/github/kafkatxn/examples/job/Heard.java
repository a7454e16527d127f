package io.github.kafkatxn.examples.job;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one process of an instance has said so far. Written by one thread, read by any. */
final class Heard {
    private volatile Tally tally = new Tally();
    private volatile @Nullable String holding;
    private volatile String stopped = "without saying why";

    /** Takes in a line; one it does not know says nothing. */
    void hear(String line) {
        if (line.startsWith(Instance.REPORT)) {
            Tally.parse(line.substring(Instance.REPORT.length())).ifPresent(report -> tally = report);
        } else if (line.startsWith(Instance.HOLDING)) {
            holding = line.substring(Instance.HOLDING.length());
        } else if (line.startsWith(Instance.STOPPED)) {
            stopped = line;
        }
    }

    /** The last report. */
    Tally tally() {
        return tally;
    }

    /** The transactional id of the lane that stands still in mid-transaction. */
    Optional<String> holding() {
        return Optional.ofNullable(holding);
    }

    /** Why it has stopped. */
    String stopped() {
        return stopped;
    }
}
