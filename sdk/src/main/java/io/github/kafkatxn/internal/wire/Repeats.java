package io.github.kafkatxn.internal.wire;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.errors.ConcurrentTransactionsException;
import org.apache.kafka.common.errors.CoordinatorLoadInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.utils.internals.ExponentialBackoff;
import org.jspecify.annotations.Nullable;

/** Makes an attempt again and again while it fails with something that passes. For calls of one producer. */
final class Repeats {
    private static final double JITTER = 0.2;

    private final Pause between;
    private final ExponentialBackoff waiting;

    /** What the end of the transaction before leaves in the way is gone in a millisecond or two. */
    private final ExponentialBackoff passing = new ExponentialBackoff(2, 2, 100, JITTER);

    /** Waits between two attempts. */
    interface Pause {
        /**
         * Waits.
         *
         * @param millis how long
         * @param deadline when to stop waiting
         */
        void pause(long millis, Deadline deadline);
    }

    Repeats(AbstractConfig config, Pause between) {
        this.between = between;
        this.waiting = new ExponentialBackoff(
                config.getLong(ProducerConfig.RETRY_BACKOFF_MS_CONFIG),
                2,
                config.getLong(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG),
                JITTER);
    }

    /**
     * Makes attempts until one succeeds.
     *
     * @param attempt returns why it has failed, if that passes; null if it has not; throws what does not pass
     * @param late what to throw once the deadline has passed, for the last failure
     * @param onRetry told why there is another attempt
     * @param deadline when to give up
     */
    void until(
            Supplier<@Nullable RetriableException> attempt,
            Function<RetriableException, RuntimeException> late,
            Consumer<RuntimeException> onRetry,
            Deadline deadline) {
        int moments = 0;
        int waits = 0;
        while (true) {
            RetriableException why = attempt.get();
            if (why == null) {
                return;
            }
            boolean moment = isOfTheTransactionBefore(why);
            long millis = moment ? passing.backoff(moments++) : waiting.backoff(waits++);
            if (deadline.hasPassed()) {
                throw late.apply(why);
            }
            onRetry.accept(why);
            between.pause(Math.max(1, millis), deadline);
            if (deadline.hasPassed()) {
                // Another attempt would only be told so, and what has kept this one would be lost.
                throw late.apply(why);
            }
        }
    }

    private static boolean isOfTheTransactionBefore(RetriableException why) {
        return why instanceof ConcurrentTransactionsException || why instanceof CoordinatorLoadInProgressException;
    }
}
