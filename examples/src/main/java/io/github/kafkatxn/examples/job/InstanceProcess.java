package io.github.kafkatxn.examples.job;

import io.github.kafkatxn.processor.Guarantee;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * An instance as its parent sees it: starts it, tells it what to do, adds up what its processes have reported, and
 * fails the job if one ends unasked. For one thread, but for {@link #tally()}.
 */
final class InstanceProcess implements AutoCloseable {
    private static final long KILL_SECONDS = 10;
    private static final long STOP_SECONDS = 30;

    private final String name;
    private final List<String> command;
    private final Path log;
    private final Signal signal;
    private final Tally before = new Tally();
    private volatile Heard heard = new Heard();
    private volatile boolean endExpected;
    private @Nullable Process process;
    private @Nullable Thread reader;

    InstanceProcess(String name, List<String> command, Path log, Signal signal) {
        this.name = name;
        this.command = command;
        this.log = log;
        this.signal = signal;
    }

    void start() {
        before.addAll(heard.tally());
        before.add(Tally.PROCESSES, 1);
        heard = new Heard();
        endExpected = false;
        try {
            Process started = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            process = started;
            reader = new Thread(() -> read(started, heard), name + " stdout");
            reader.start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    /** Asks for a lane to stand still in mid-transaction; once, as long as this process lives. */
    void hold() {
        tell(Instance.HOLD);
    }

    /** Where a lane of this process stands still, or stood last. */
    Optional<Held> held() {
        return heard.held();
    }

    /** What this process can promise; nothing before it works. */
    Optional<Guarantee> guarantee() {
        return heard.guarantee();
    }

    /** Whether this process was given a record after that delivery. */
    boolean hasAfter(Delivery delivery) {
        return heard.hasAfter(delivery);
    }

    void release() {
        tell(Instance.RELEASE);
    }

    /** SIGKILL, and waits until the process is gone and its last report read. */
    void kill() {
        endExpected = true;
        // Not Process.destroyForcibly: it closes the pipe too, and the last report would be lost.
        running().toHandle().destroyForcibly();
        awaitEnd(KILL_SECONDS, "gone after SIGKILL");
    }

    /** Asks it to stop. */
    void stop() {
        endExpected = true;
        tell(Instance.STOP);
    }

    /** Waits until it has stopped. */
    void awaitStopped() {
        awaitEnd(STOP_SECONDS, "stopped after it was asked to");
        if (running().exitValue() != 0) {
            throw ended(running(), heard);
        }
    }

    /** What all its processes have counted together, as far as they have reported. */
    Tally tally() {
        Tally all = new Tally();
        all.addAll(before);
        all.addAll(heard.tally());
        return all;
    }

    long pid() {
        return running().pid();
    }

    Path log() {
        return log;
    }

    @Override
    public void close() {
        if (process != null) {
            kill();
        }
    }

    @Override
    public String toString() {
        return name;
    }

    private void tell(String line) {
        try {
            running().getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            running().getOutputStream().flush();
        } catch (IOException e) {
            throw new JobFailure(name + " does not listen any more; see " + log, e);
        }
    }

    private void awaitEnd(long seconds, String what) {
        try {
            boolean ended = running().waitFor(seconds, TimeUnit.SECONDS);
            if (reader != null) {
                reader.join(TimeUnit.SECONDS.toMillis(1)); // it ends with the process
            }
            if (!ended) {
                throw new JobFailure(name + " is not " + what + " within " + seconds + " s; see " + log);
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private void read(Process started, Heard said) {
        try (BufferedReader lines = started.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.hear(line);
                signal.changed();
            }
            started.waitFor();
            if (!endExpected) {
                signal.fail(ended(started, said));
            }
        } catch (IOException e) {
            signal.fail(new JobFailure("what " + name + " says cannot be read", e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private JobFailure ended(Process process, Heard said) {
        return new JobFailure(
                name + " has ended by itself, status " + process.exitValue() + ", " + said.stopped() + "; see " + log);
    }

    private Process running() {
        if (process == null) {
            throw new IllegalStateException(name + " was never started");
        }
        return process;
    }
}
