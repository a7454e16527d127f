package io.github.kafkatxn.examples.job;

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
 * fails the job if one ends unasked.
 */
final class InstanceProcess implements AutoCloseable {
    private static final long KILL_SECONDS = 10;
    private static final long STOP_SECONDS = 30;

    private final String name;
    private final List<String> command;
    private final Path log;
    private final Signal signal;
    private final Tally before = new Tally();
    private @Nullable Process process;
    private @Nullable Thread reader;
    private volatile Tally now = new Tally();
    private volatile @Nullable String holding;
    private volatile String stopped = "without saying why";
    private volatile boolean endExpected;

    InstanceProcess(String name, List<String> command, Path log, Signal signal) {
        this.name = name;
        this.command = command;
        this.log = log;
        this.signal = signal;
    }

    void start() {
        endExpected = false;
        holding = null;
        before.addAll(now);
        now = new Tally();
        before.add(Tally.PROCESSES, 1);
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
        Process started = process;
        reader = new Thread(() -> read(started), name + " stdout");
        reader.setDaemon(true);
        reader.start();
    }

    /** The transactional id of the lane that stands still in mid-transaction. */
    Optional<String> holding() {
        return Optional.ofNullable(holding);
    }

    void hold() {
        holding = null;
        tell(Instance.HOLD);
    }

    void release() {
        tell(Instance.RELEASE);
    }

    /** SIGKILL, and waits until the process is gone and its last report read. */
    void kill() {
        endExpected = true;
        running().destroyForcibly();
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
            throw new JobFailure(ended());
        }
    }

    /** What all its processes have counted together, as far as they have reported. */
    Tally tally() {
        Tally all = new Tally();
        all.addAll(before);
        all.addAll(now);
        return all;
    }

    /** What the process that runs now has counted. */
    Tally current() {
        return now;
    }

    long pid() {
        return running().pid();
    }

    Path log() {
        return log;
    }

    @Override
    public void close() {
        endExpected = true;
        if (process != null) {
            process.destroyForcibly();
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

    private void read(Process started) {
        try (BufferedReader lines = started.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                hear(line);
            }
            started.waitFor();
            if (!endExpected) {
                signal.fail(new JobFailure(ended()));
            }
        } catch (IOException e) {
            signal.fail(new JobFailure("what " + name + " says cannot be read", e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void hear(String line) {
        if (line.startsWith(Instance.REPORT)) {
            Tally.parse(line.substring(Instance.REPORT.length())).ifPresent(tally -> now = tally);
        } else if (line.startsWith(Instance.HOLDING)) {
            holding = line.substring(Instance.HOLDING.length());
        } else if (line.startsWith(Instance.STOPPED)) {
            stopped = line;
        }
        signal.changed();
    }

    private String ended() {
        return name + " has ended by itself, status " + running().exitValue() + ", " + stopped + "; see " + log;
    }

    private Process running() {
        if (process == null) {
            throw new IllegalStateException(name + " was never started");
        }
        return process;
    }
}
