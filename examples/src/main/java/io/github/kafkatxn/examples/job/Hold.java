package io.github.kafkatxn.examples.job;

import io.github.kafkatxn.processor.RecordTransform;
import io.github.kafkatxn.producer.TransactionListener;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stops a lane in mid-transaction when asked to, so that what is done to the instance then is done to an open
 * transaction, and not to one that luckily ended just before.
 */
final class Hold implements TransactionListener {
    /** For how long a lane stands still at most: less than the 40 s after which its transaction would be aborted. */
    static final Duration LIMIT = Duration.ofSeconds(30);

    private final ThreadLocal<String> transactionalId = ThreadLocal.withInitial(() -> "");
    private final AtomicReference<@Nullable CountDownLatch> asked = new AtomicReference<>();
    private final Consumer<Held> onHeld;
    private volatile CountDownLatch held = new CountDownLatch(0);

    /** The consumer is told where a lane stands still. */
    Hold(Consumer<Held> onHeld) {
        this.onHeld = onHeld;
    }

    /** Holds the next lane that has sent something. */
    void ask() {
        asked.set(new CountDownLatch(1));
    }

    void release() {
        asked.set(null);
        held.countDown();
    }

    @Override
    public void onBegin(String id) {
        transactionalId.set(id);
    }

    <KI, VI, KO, VO> RecordTransform<KI, VI, KO, VO> around(RecordTransform<KI, VI, KO, VO> transform) {
        return (record, outputs) -> {
            transform.transform(record, outputs);
            CountDownLatch latch = asked.getAndSet(null);
            if (latch != null) {
                held = latch;
                onHeld.accept(new Held(transactionalId.get(), Delivery.of(record)));
                if (!latch.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new JobFailure("held and not released for " + LIMIT.toSeconds() + " s");
                }
            }
        };
    }
}
