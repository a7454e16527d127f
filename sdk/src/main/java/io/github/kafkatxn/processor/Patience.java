package io.github.kafkatxn.processor;

import io.github.kafkatxn.processor.Outcome.Failed;
import io.github.kafkatxn.processor.Outcome.Slowness;
import io.github.kafkatxn.processor.StopReason.Kind;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import io.github.resilience4j.core.functions.Either;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;

/** How long a lane waits after failures, and when it has had enough. */
final class Patience {
    private static final Duration FENCING_WINDOW = Duration.ofMinutes(5);

    private final LaneContext lane;
    private final LongSupplier nanoTime;
    private final Deque<Long> fencings = new ArrayDeque<>();
    private int failures;
    private long firstFailure;
    private long lastFailure;

    Patience(LaneContext lane) {
        this(lane, System::nanoTime);
    }

    /** With a clock of its own. */
    Patience(LaneContext lane, LongSupplier nanoTime) {
        this.lane = lane;
        this.nanoTime = nanoTime;
    }

    /** Something was committed: the trouble is over. */
    void committed() {
        failures = 0;
    }

    /**
     * Waits longer after each failure in a row.
     *
     * @return why to stop, or null
     */
    @Nullable
    StopReason waitAfter(TxnError error) {
        long now = nanoTime.getAsLong();
        if (now - lastFailure > calmNanos()) {
            failures = 0;
        }
        lastFailure = now;
        if (failures++ == 0) {
            firstFailure = now;
        }
        Duration limit = lane.settings().giveUpAfter();
        if (now - firstFailure > limit.toNanos()) {
            return StopReason.of(Kind.GAVE_UP, error.withDetail("Nothing was committed for " + limit + "."));
        }
        lane.stop().pause(interval());
        return null;
    }

    /** {@return why to stop after a failure: it does not pass, or has gone on for too long; null after a wait} */
    @Nullable
    StopReason stopOrWait(TxnError error) {
        return error.action() == Action.STOP ? StopReasons.of(error) : waitAfter(error);
    }

    /**
     * So long no lane is busy with one batch: it had nothing to do in between, so that there was nothing to commit, and
     * two failures are not of the same trouble.
     */
    private long calmNanos() {
        return lane.settings().maxPollInterval().multipliedBy(2).toNanos();
    }

    Duration interval() {
        Long millis =
                lane.settings().recovery().getIntervalBiFunction().apply(Math.max(1, failures), Either.right(failures));
        return Duration.ofMillis(millis);
    }

    /**
     * Counts how often another producer has taken the transactional id. A transaction that has outlived its timeout
     * looks the same and is not counted.
     *
     * @param failed what was tried
     * @param unusable why the producer cannot go on: what failed, or the abort after it
     * @return why to stop, or null
     */
    @Nullable
    StopReason countFencing(Failed failed, TxnError unusable) {
        boolean fenced = isFencing(failed.error().cause())
                || isFencing(unusable.cause())
                || Stream.of(unusable.cause().getSuppressed()).anyMatch(Patience::isFencing);
        if (!fenced || failed.slowness() != Slowness.NONE) {
            return null;
        }
        long now = nanoTime.getAsLong();
        fencings.add(now);
        while (now - fencings.getFirst() > FENCING_WINDOW.toNanos()) {
            fencings.removeFirst();
        }
        if (fencings.size() <= lane.settings().maxFencings()) {
            return null;
        }
        return StopReason.of(
                Kind.FENCED,
                failed.error()
                        .withDetail("Fenced " + fencings.size() + " times in " + FENCING_WINDOW.toMinutes()
                                + " minutes: another live instance has the same name; instance must be unique."));
    }

    private static boolean isFencing(Throwable failure) {
        return failure instanceof ProducerFencedException || failure instanceof InvalidProducerEpochException;
    }
}
