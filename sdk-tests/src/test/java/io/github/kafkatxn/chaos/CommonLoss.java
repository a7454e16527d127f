package io.github.kafkatxn.chaos;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The loss of a broker that several copies share: it stands still before any of them begins the phase it is to be hit
 * in, and is lost when all have begun. What was under way then is known, and not left to luck.
 */
final class CommonLoss {
    private final CyclicBarrier everyPhase;
    private final CountDownLatch begun;
    private final Duration limit;
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Set<String>> hit = new CompletableFuture<>();

    /**
     * A loss that has not happened.
     *
     * @param standStill makes the broker answer nothing any more, before it returns
     * @param lose what happens to it then
     */
    CommonLoss(int copies, Duration limit, Runnable standStill, Runnable lose) {
        this.everyPhase = new CyclicBarrier(copies, () -> {
            standStill.run();
            new Thread(() -> whenAllHaveBegun(lose), "loss").start();
        });
        this.begun = new CountDownLatch(copies);
        this.limit = limit;
    }

    /** {@return the steps of a copy, which waits in its phase of a transaction from that number on} */
    Steps stepsOf(String copy, Phase hitIn, int from) {
        AtomicBoolean met = new AtomicBoolean();
        return new Steps() {
            @Override
            public void begins(int transaction, Phase phase) {
                if (transaction >= from && phase == hitIn && met.compareAndSet(false, true)) {
                    meet();
                    underWay.add(copy);
                    begun.countDown();
                    if (phase == Phase.SEND) {
                        hit.join(); // the other records are sent to a broker that is gone
                    }
                }
            }

            @Override
            public void ended(Phase phase) {
                if (phase == hitIn) {
                    underWay.remove(copy);
                }
            }
        };
    }

    /** {@return the copies that were in their phase, with no end to it, when the broker was lost} */
    CompletableFuture<Set<String>> hit() {
        return hit;
    }

    private void meet() {
        try {
            everyPhase.await(limit.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError("not every copy has come to its phase", e);
        }
    }

    private void whenAllHaveBegun(Runnable lose) {
        try {
            begun.await();
            Set<String> now = Set.copyOf(underWay);
            lose.run();
            hit.complete(now);
        } catch (InterruptedException | RuntimeException e) {
            hit.completeExceptionally(e);
        }
    }
}
