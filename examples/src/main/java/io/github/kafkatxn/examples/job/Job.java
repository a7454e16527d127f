package io.github.kafkatxn.examples.job;

import io.github.kafkatxn.examples.job.Ledger.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/** The job from end to end: brokers, topics, instances, rows, mayhem, and the count. Runs once. */
public final class Job {
    private static final int LANES = 2;
    private static final int ADMIN_TIMEOUT_MILLIS = 30_000;
    private static final Duration STAND_STILL = Duration.ofSeconds(60);

    private final Arguments arguments;
    private final Rows rows;
    private final PrintStream out;
    private final PrintStream err;
    private final Console console;
    private final Signal signal = new Signal();
    private final Ledger ledger;
    private final Topics topics =
            new Topics("rows-to-events-" + UUID.randomUUID().toString().substring(0, 8));
    private final Path logs = ChildJvm.buildFolder().resolve("job").resolve(topics.run());
    private final List<InstanceProcess> instances = new ArrayList<>();
    private Duration processing = Duration.ZERO;
    private boolean fed;
    private boolean complete;

    /**
     * A job that has not started.
     *
     * @param arguments what was asked for
     * @param rows the input
     * @param out for progress and the result
     * @param err for failures
     */
    public Job(Arguments arguments, Rows rows, PrintStream out, PrintStream err) {
        this.arguments = arguments;
        this.rows = rows;
        this.out = out;
        this.err = err;
        this.console = new Console(out);
        this.ledger = new Ledger(rows.size() + Mayhem.POISON);
    }

    /**
     * Runs it; the last line on {@code out} is the result, if it came so far that a record was sent.
     *
     * @return 0 if every record came out once, else 1
     */
    public int run() {
        try (Interruption interruption = new Interruption(signal)) {
            try {
                Files.createDirectories(logs);
                runOnCluster();
            } catch (JobFailure | KafkaException | IllegalStateException | UncheckedIOException | IOException e) {
                fail(interruption.happened() ? "stopped before the end" : String.valueOf(e.getMessage()));
            } finally {
                console.close();
            }
            return fed && result() ? 0 : 1;
        }
    }

    private void runOnCluster() {
        if (arguments.bootstrapServers().isPresent()) {
            runOn(arguments.bootstrapServers().get(), Optional.empty());
            return;
        }
        try (StartedKafka kafka = StartedKafka.start(arguments, console)) {
            runOn(kafka.bootstrapServers(), Optional.of(kafka));
        }
    }

    private void runOn(String servers, Optional<StartedKafka> kafka) {
        console.line("brokers at " + servers + "; logs of the instances in " + logs);
        boolean own = kafka.isPresent();
        try (Admin admin = Admin.create(
                        Map.of("bootstrap.servers", servers, "default.api.timeout.ms", ADMIN_TIMEOUT_MILLIS));
                Topics.Created created = topics.create(admin, !own && !arguments.keep());
                Verifier verifier = new Verifier(servers, topics, ledger, signal);
                Feeder feeder = new Feeder(
                        servers, topics.rows(), rows.lines(), Duration.ofSeconds(arguments.seconds()), signal);
                InstanceProcess first = instance(servers, 1);
                InstanceProcess second = instance(servers, 2)) {
            instances.addAll(List.of(first, second));
            Scene scene = new Scene(
                    servers,
                    kafka,
                    admin,
                    created.topics(),
                    instances,
                    LANES,
                    rows.size(),
                    feeder,
                    ledger,
                    signal,
                    console);
            play(scene, verifier);
        }
    }

    private void play(Scene scene, Verifier verifier) {
        verifier.start();
        instances.forEach(InstanceProcess::start);
        Mayhem mayhem = new Mayhem(scene);
        mayhem.awaitWholeGroup();
        console.line(
                "both instances have partitions; " + rows.size() + " rows come in over " + arguments.seconds() + " s");
        long start = System.nanoTime();
        fed = true;
        scene.feeder().start();
        console.everySecond(() -> "fed " + scene.feeder().fed() + ", committed " + (ledger.seen() - ledger.dead())
                + ", dead-lettered " + ledger.dead());
        try {
            mayhem.run();
            awaitAll();
        } finally {
            processing = Duration.ofNanos(System.nanoTime() - start);
        }
        console.close();
        console.line("everything came out; stopping the instances, waiting for the end of all transactions");
        instances.forEach(InstanceProcess::stop);
        instances.forEach(InstanceProcess::awaitStopped);
        verifier.finish(scene.admin());
        complete = true;
    }

    private void awaitAll() {
        int all = rows.size() + Mayhem.POISON;
        for (long seen = ledger.seen(); seen < all; seen = ledger.seen()) {
            long before = seen;
            signal.await(
                    "another record comes out, after " + seen + " of " + all,
                    STAND_STILL,
                    () -> ledger.seen() > before);
        }
    }

    private InstanceProcess instance(String servers, int number) {
        List<String> args = Stream.concat(
                        Stream.of(servers, topics.run(), Integer.toString(number)), rows.columns().stream())
                .toList();
        return new InstanceProcess(
                "instance " + number,
                ChildJvm.command(Instance.class, args),
                logs.resolve("instance-" + number + ".log"),
                signal);
    }

    private void fail(String message) {
        err.println("FAILED: " + message);
        err.println("Logs of the instances: " + logs);
    }

    /** Whether it came to its end, and every record came out once. */
    private boolean result() {
        Map<String, Tally> tallies = new LinkedHashMap<>();
        instances.forEach(instance -> tallies.put(instance.toString(), instance.tally()));
        Verdict verdict = ledger.verdict(complete);
        out.println();
        out.print(Report.table(tallies));
        out.printf(
                "%d records out in %.1f s: %.0f a second, all blows included%n",
                ledger.seen(), processing.toMillis() / 1e3, ledger.seen() * 1e3 / Math.max(1, processing.toMillis()));
        out.print(verdict.details());
        out.println();
        out.println(verdict);
        out.flush();
        return complete && verdict.isExactlyOnce();
    }
}
