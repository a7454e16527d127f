package io.github.kafkatxn.producer;

import io.github.kafkatxn.internal.wire.Deadline;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Connections beside the client's that are made when they are first needed, on the owner thread: a producer that never
 * needs them has neither them nor a thread for them. Closed from any thread, and without a lock: a close must not wait
 * for key stores that are read and names that are looked up.
 */
final class OnDemand<T> {
    private final Supplier<T> factory;
    private final BiConsumer<T, Deadline> closer;
    private volatile @Nullable T made;
    private volatile boolean closed;

    /**
     * Makes nothing yet.
     *
     * @param factory makes it
     * @param closer closes it within a deadline; may be called twice
     */
    OnDemand(Supplier<T> factory, BiConsumer<T, Deadline> closer) {
        this.factory = factory;
        this.closer = closer;
    }

    /** {@return it, which refuses to be used if there has been a close while it was made} */
    T get(Deadline deadline) {
        if (closed) {
            throw new KafkaException("the producer is closed");
        }
        T there = made;
        if (there == null) {
            there = make();
            made = there;
            if (closed) {
                closer.accept(there, deadline);
            }
        }
        return there;
    }

    /** Key stores are read through channels that an interrupt closes: it is set again when that is over. */
    private T make() {
        boolean interrupted = Thread.interrupted();
        try {
            return factory.get();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void close(Deadline deadline) {
        closed = true;
        T there = made;
        if (there != null) {
            closer.accept(there, deadline);
        }
    }
}
