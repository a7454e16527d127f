package io.github.kafkatxn.examples.job;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Ctrl-C, or whatever else ends this JVM: ends the job, and lets it clean up before the JVM is gone. */
final class Interruption implements AutoCloseable {
    private static final long CLEAN_UP_SECONDS = 30;

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread hook;
    private volatile boolean happened;

    Interruption(Signal signal) {
        hook = new Thread(() -> {
            happened = true;
            signal.fail(new JobFailure("stopped from outside"));
            awaitCleanUp();
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    boolean happened() {
        return happened;
    }

    private void awaitCleanUp() {
        try {
            if (!over.await(CLEAN_UP_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("The job has not cleaned up within " + CLEAN_UP_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        over.countDown();
        if (!happened) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                happened = true; // the JVM has begun to end meanwhile, and the hook has nothing to wait for
            }
        }
    }
}
