package io.github.kafkatxn.apache;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits until a process that was sent SIGSTOP stands still. The signal is delivered to its threads one by one: on a
 * busy machine some still answer a request after the call that sent it has returned. Where there is no {@code /proc}
 * there is nothing to look at, and nothing is waited for.
 */
final class StandStill {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private StandStill() {}

    static void await(long pid) throws IOException, InterruptedException {
        Path threads = Path.of("/proc", Long.toString(pid), "task");
        if (!Files.isDirectory(threads)) {
            return;
        }
        Deadline deadline = Deadline.after(LIMIT);
        while (!allStand(threads)) {
            if (deadline.passed()) {
                throw new IOException("process " + pid + " still runs " + LIMIT.toSeconds() + " s after SIGSTOP");
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
            if (Thread.interrupted()) {
                throw new InterruptedException("while waiting for process " + pid + " to stand still");
            }
        }
    }

    private static boolean allStand(Path threads) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(threads)) {
            for (Path thread : all) {
                if (!stands(thread)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The state is the first field after the name, which stands in parentheses and may hold anything. */
    private static boolean stands(Path thread) throws IOException {
        try {
            String stat = Files.readString(thread.resolve("stat"));
            int state = stat.lastIndexOf(')') + 2;
            return state < stat.length() && "TtZX".indexOf(stat.charAt(state)) >= 0;
        } catch (IOException e) {
            if (Files.exists(thread)) {
                throw e;
            }
            return true; // it has ended
        }
    }
}
