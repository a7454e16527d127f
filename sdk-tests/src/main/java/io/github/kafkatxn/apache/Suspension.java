package io.github.kafkatxn.apache;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A process that stands still (SIGSTOP).
 *
 * <p>A process that stands still cannot watch for the end of the JVM that started it. A shell waits in its place: it
 * reads from a pipe that only closes with that JVM, and then kills the process.
 */
final class Suspension {
    private static final long SHELL_SECONDS = 10;

    private final long pid;
    private final Process guard;

    private Suspension(long pid, Process guard) {
        this.pid = pid;
        this.guard = guard;
    }

    /** Stops the process and waits until none of its threads runs any more; a few milliseconds, 10 s at most. */
    static Suspension of(long pid) throws IOException, InterruptedException {
        Suspension suspension = new Suspension(pid, shell("read -r line; kill -KILL \"$0\"", pid));
        try {
            signal("STOP", pid);
            StandStill.await(pid);
        } catch (IOException | InterruptedException e) {
            suspension.dismiss();
            throw e;
        }
        return suspension;
    }

    /** Lets the process go on. */
    void end() throws IOException, InterruptedException {
        signal("CONT", pid);
        dismiss();
    }

    /** Ends the guard. To be called before the process is killed, because its pid may be another's soon after. */
    void dismiss() {
        guard.destroyForcibly();
    }

    private static void signal(String name, long pid) throws IOException, InterruptedException {
        Process kill = shell("kill -" + name + " \"$0\"", pid);
        if (!kill.waitFor(SHELL_SECONDS, TimeUnit.SECONDS)) {
            kill.destroyForcibly();
            throw new IOException("SIG" + name + " to process " + pid + " took more than " + SHELL_SECONDS + " s");
        }
        if (kill.exitValue() != 0) {
            throw new IOException("SIG" + name + " to process " + pid + " failed with status " + kill.exitValue());
        }
    }

    /** The shell's own kill: the command of that name is not installed everywhere. */
    private static Process shell(String script, long pid) throws IOException {
        return new ProcessBuilder("sh", "-c", script, Long.toString(pid))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
