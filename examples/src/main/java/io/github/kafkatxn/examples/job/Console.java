package io.github.kafkatxn.examples.job;

import java.io.PrintStream;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Prints lines with the time since the start in front, and one a second on how far things are. */
final class Console implements AutoCloseable {
    private final long start = System.nanoTime();
    private final PrintStream out;
    private final ScheduledExecutorService seconds = Executors.newSingleThreadScheduledExecutor();
    private @Nullable String last;

    Console(PrintStream out) {
        this.out = out;
    }

    synchronized void line(String text) {
        out.printf("%4d s  %s%n", TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start), text);
        out.flush();
    }

    /** Prints this every second from now on, unless nothing has changed. */
    void everySecond(Supplier<String> progress) {
        var unused = seconds.scheduleAtFixedRate(() -> printChanged(progress.get()), 1, 1, TimeUnit.SECONDS);
    }

    private synchronized void printChanged(String text) {
        if (!text.equals(last)) {
            last = text;
            line(text);
        }
    }

    /** Ends the progress; lines may still be printed. */
    @Override
    public void close() {
        seconds.shutdownNow();
    }
}
