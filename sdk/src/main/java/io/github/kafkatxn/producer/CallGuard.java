package io.github.kafkatxn.producer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends a client call at its deadline, by interrupting the thread that waits in it.
 *
 * <p>Several calls of the client have no bound of their own (flush), or one that does not hold in every state (close
 * while a callback blocks). A hand-over to another thread for each call would cost more than the call; arming this
 * guard costs two volatile writes. One daemon thread for all guards of the JVM looks every {@value #TICK_MILLIS} ms
 * whether a deadline has passed, and is there only while guards are open.
 *
 * <p>One call at a time.
 */
final class CallGuard implements AutoCloseable {
    private static final long TICK_MILLIS = 20;
    private static final int IDLE = 0;
    private static final int ARMED = 1;
    private static final int FIRING = 2;
    private static final int FIRED = 3;

    private static final Set<CallGuard> OPEN = ConcurrentHashMap.newKeySet();
    private static final Object LOCK = new Object();
    private static boolean running;

    private final AtomicInteger state = new AtomicInteger(IDLE);
    private volatile long deadline;
    private volatile Thread caller = Thread.currentThread();

    private CallGuard() {}

    static CallGuard open() {
        CallGuard guard = new CallGuard();
        synchronized (LOCK) {
            OPEN.add(guard);
            if (!running) {
                running = true;
                Thread watchdog = new Thread(CallGuard::watch, "kafka-txn-call-guard");
                watchdog.setDaemon(true);
                watchdog.start();
            }
        }
        return guard;
    }

    /**
     * From here on the calling thread is interrupted once the deadline has passed.
     *
     * @param nanoTime the deadline on the clock of {@link System#nanoTime()}
     */
    void arm(long nanoTime) {
        caller = Thread.currentThread();
        deadline = nanoTime;
        state.set(ARMED);
    }

    /**
     * Ends the watch, on the thread that armed it.
     *
     * @return whether the guard has interrupted this thread; its interrupt flag is clear then
     */
    boolean disarm() {
        if (state.compareAndSet(ARMED, IDLE)) {
            return false;
        }
        while (state.get() == FIRING) {
            Thread.onSpinWait();
        }
        boolean fired = state.getAndSet(IDLE) == FIRED;
        if (fired) {
            Thread.interrupted();
        }
        return fired;
    }

    @Override
    public void close() {
        OPEN.remove(this);
    }

    private void fireIfLate(long now) {
        if (state.get() == ARMED && now - deadline >= 0 && state.compareAndSet(ARMED, FIRING)) {
            caller.interrupt();
            state.set(FIRED);
        }
    }

    private static void watch() {
        while (true) {
            synchronized (LOCK) {
                if (OPEN.isEmpty()) {
                    running = false;
                    return;
                }
            }
            long now = System.nanoTime();
            OPEN.forEach(guard -> guard.fireIfLate(now));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
        }
    }
}
