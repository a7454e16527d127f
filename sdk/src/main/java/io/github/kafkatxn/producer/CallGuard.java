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
 * guard costs a few volatile accesses. One daemon thread for all guards of the JVM looks every {@value #TICK_MILLIS} ms
 * whether a deadline has passed, and is there only while guards are open.
 *
 * <p>An interrupt of somebody else is told from the guard's own by the thread's flag when the guard fires. So what
 * waits on after an interrupt, and keeps it in mind until it sets the flag again, must not be watched: between the two
 * the flag says that there was none.
 *
 * <p>One call at a time. {@link #close()} may come from another thread: a call that is being watched stays so.
 */
final class CallGuard implements AutoCloseable {
    /** How a watched call ended, as far as interrupts are concerned; the thread's flag is clear if it fired. */
    enum Verdict {
        /** The guard has not touched the thread. */
        IN_TIME,
        /** The guard has interrupted the thread. */
        LATE,
        /** The guard has fired, and somebody else had interrupted the thread before. */
        LATE_AND_INTERRUPTED
    }

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
    private volatile boolean interruptedBefore;
    private volatile boolean closed;

    private CallGuard() {}

    static CallGuard open() {
        CallGuard guard = new CallGuard();
        guard.watched();
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
        interruptedBefore = false;
        state.set(ARMED);
        if (closed) {
            watched();
        }
    }

    /** Ends the watch, on the thread that armed it. */
    Verdict disarm() {
        Verdict verdict = end();
        if (closed) {
            OPEN.remove(this);
        }
        return verdict;
    }

    @Override
    public void close() {
        closed = true;
        if (state.get() == IDLE) {
            OPEN.remove(this);
            if (state.get() != IDLE) {
                watched(); // a call has begun meanwhile, and its end takes the guard away
            }
        }
    }

    private Verdict end() {
        while (!state.compareAndSet(FIRED, IDLE)) {
            // FIRING lasts for a moment, and may turn out to be too early and be ARMED again.
            if (state.compareAndSet(ARMED, IDLE) || state.get() == IDLE) {
                return Verdict.IN_TIME;
            }
            Thread.onSpinWait();
        }
        Thread.interrupted();
        return interruptedBefore ? Verdict.LATE_AND_INTERRUPTED : Verdict.LATE;
    }

    private void watched() {
        synchronized (LOCK) {
            OPEN.add(this);
            if (!running) {
                Thread watchdog = new Thread(CallGuard::watch, "kafka-txn-call-guard");
                watchdog.setDaemon(true);
                watchdog.start();
                running = true;
            }
        }
    }

    /** As the watchdog does it, over and over. */
    void fireIfLate(long now) {
        if (state.get() != ARMED || now - deadline < 0 || !state.compareAndSet(ARMED, FIRING)) {
            return;
        }
        // The call that was late may have ended meanwhile, and this be the next one; now it cannot change.
        if (now - deadline < 0) {
            state.set(ARMED);
            return;
        }
        interruptedBefore = caller.isInterrupted();
        caller.interrupt();
        state.set(FIRED);
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
