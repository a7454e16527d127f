package io.github.kafkatxn.apache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * One node: the command that runs it and, while it runs, its process. Safe for several threads; every method is done in
 * milliseconds but those that wait for the process to end, and those are bounded.
 */
final class NodeProcess {
    /**
     * What the system may take to end a process that was sent SIGKILL; it is milliseconds unless the machine is stuck.
     */
    private static final Duration KILL_TIMEOUT = Duration.ofSeconds(30);

    private final NodeAddress address;
    private final List<String> command;
    private final Path directory;
    private final ProcessLog log;
    private @Nullable Process process;
    private @Nullable Suspension suspension;
    private boolean closed;

    NodeProcess(NodeAddress address, List<String> command, Path directory, ProcessLog log) {
        this.address = address;
        this.command = command;
        this.directory = directory;
        this.log = log;
    }

    NodeAddress address() {
        return address;
    }

    ProcessLog log() {
        return log;
    }

    synchronized void launch() {
        if (closed || isAlive()) {
            throw new IllegalStateException(this + (closed ? " is closed" : " is running"));
        }
        log.mark();
        try {
            process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.file().toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + this, e);
        }
    }

    synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    synchronized boolean isServing() {
        return isAlive() && suspension == null;
    }

    /** Waits for the process to end, at most so long; true if it has ended. */
    boolean awaitEnd(Duration timeout) {
        Process running;
        synchronized (this) {
            running = process;
        }
        try {
            return running == null || running.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new InterruptException("interrupted while waiting for the end of " + this, e);
        }
    }

    /** SIGTERM, then waits. A process that does not end in time is killed and reported. */
    void stop(Duration timeout) {
        synchronized (this) {
            requireServing();
            // Not Process.destroy: it closes the pipe too, and the broker would halt instead of shutting down.
            running().toHandle().destroy();
        }
        if (!awaitEnd(timeout)) {
            kill();
            throw new IllegalStateException(this + " did not shut down within " + timeout
                    + " and was killed; its log ends with\n" + log.tail());
        }
    }

    /** SIGKILL, then waits until the process is gone; nothing to do if there is none. */
    void kill() {
        signalKill();
        if (!awaitEnd(KILL_TIMEOUT)) {
            throw new IllegalStateException(this + " is still there " + KILL_TIMEOUT + " after SIGKILL");
        }
    }

    synchronized void pause() {
        requireServing();
        try {
            suspension = Suspension.of(running().pid());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot pause " + this, e);
        } catch (InterruptedException e) {
            throw new InterruptException("interrupted while pausing " + this, e);
        }
    }

    synchronized void resume() {
        if (suspension == null) {
            throw new IllegalStateException(this + " is not paused");
        }
        try {
            suspension.end();
            suspension = null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot resume " + this, e);
        } catch (InterruptedException e) {
            throw new InterruptException("interrupted while resuming " + this, e);
        }
    }

    /** SIGKILL without waiting; the node cannot be launched again. */
    synchronized void close() {
        closed = true;
        signalKill();
    }

    private synchronized void signalKill() {
        if (suspension != null) {
            suspension.dismiss();
            suspension = null;
        }
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private void requireServing() {
        if (!isServing()) {
            throw new IllegalStateException(this + (suspension == null ? " is not running" : " is paused"));
        }
    }

    private Process running() {
        if (process == null) {
            throw new IllegalStateException(this + " was never started");
        }
        return process;
    }

    long pid() {
        synchronized (this) {
            return running().pid();
        }
    }

    @Override
    public String toString() {
        return (address.isBroker() ? "broker " : "controller ") + address.id();
    }
}
