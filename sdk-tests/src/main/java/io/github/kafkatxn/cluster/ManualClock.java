package io.github.kafkatxn.cluster;

import io.github.kafkatxn.cluster.internal.node.ClusterClock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time of a cluster, moved by a test: transaction and session timeouts and acquisition locks run out when the test
 * says so. Between two steps it stands still. How long a client is kept waiting for an answer (the maximum wait of a
 * fetch, back-off between nodes, a delay of a fault plan) goes by the machine's time all the same.
 *
 * <p>Thread-safe. One clock may be given to several clusters.
 */
public final class ManualClock implements InstantSource {
    private final List<Steps> clusters = new CopyOnWriteArrayList<>();
    private final AtomicLong millis;

    /** A clock that stands at the machine's present time: the timestamps that clients give to records fit. */
    public ManualClock() {
        this(Instant.now());
    }

    /**
     * A clock that stands at some time.
     *
     * @param start the time
     */
    public ManualClock(Instant start) {
        this.millis = new AtomicLong(start.toEpochMilli());
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis.get());
    }

    @Override
    public long millis() {
        return millis.get();
    }

    /**
     * Moves the time. When it returns, all nodes that are up have done what was due by then, and what this has sent to
     * other nodes is on its way.
     *
     * @param step how far, 0 or more; all of it at once, so that what is due several times in it happens once
     */
    public void advance(Duration step) {
        if (step.isNegative()) {
            throw new IllegalArgumentException("a step of " + step + ": time does not go back");
        }
        millis.addAndGet(step.toMillis());
        clusters.forEach(Steps::tell);
    }

    ClusterClock join() {
        Steps cluster = new Steps();
        clusters.add(cluster);
        return cluster;
    }

    void leave(ClusterClock joined) {
        clusters.removeIf(cluster -> cluster == joined);
    }

    /** This clock as one cluster sees it. */
    private final class Steps implements ClusterClock {
        private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

        @Override
        public long millis() {
            return millis.get();
        }

        @Override
        public void onStep(Runnable listener) {
            listeners.add(listener);
        }

        @Override
        public boolean runs() {
            return false;
        }

        private void tell() {
            listeners.forEach(Runnable::run);
        }
    }
}
