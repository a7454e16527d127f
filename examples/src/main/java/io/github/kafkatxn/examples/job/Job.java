package io.github.kafkatxn.examples.job;

import io.github.kafkatxn.examples.job.Ledger.Verdict;
import io.github.kafkatxn.processor.Guarantee;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/** The job from end to end: brokers, topics, instances, rows, mayhem, and the count. Runs once. */
public final class Job {
    private static final String AT_LEAST_ONCE = "at least once, NOT exactly once: these brokers cannot take"
            + " acknowledgements into a transaction (KIP-1289), so that a record may come out twice";
    private static final int ADMIN_TIMEOUT_MILLIS = 30_000;
    private static final Duration STAND_STILL = Duration.ofSeconds(60);

    private final Arguments arguments;
    private final Rows rows;
    private final PrintStream out;
    private final PrintStream err;
    private final Console console;
    private final Signal signal = new Signal();
    private final Ledger ledger;
    private final Application application;
    private final Topics topics;
    private final Path logs;
    private Guarantee guarantee = Guarantee.EXACTLY_ONCE;
    private Map<String, Tally> tallies = Map.of();
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
        this.application = arguments.application();
        this.topics = new Topics(
                application.prefix() + "-" + UUID.randomUUID().toString().substring(0, 8));
        this.logs = ChildJvm.buildFolder().resolve("job").resolve(topics.run());
        this.ledger = new Ledger(rows.size() + Mayhem.POISON);
    }

    /**
     * Runs it; the last line on {@code out} is the result, if it came so far that a record was sent.
     *
     * @return 0 if every record came out once, or at least once if the cluster cannot do better; else 1
     */
    public int run() {
        try (Interruption interruption = new Interruption(signal)) {
            try {
                Files.createDirectories(logs);
                runOnCluster();
            } catch (JobFailure | KafkaException | IllegalStateException | UncheckedIOException | IOException e) {
                fail(interruption.happened() ? "stopped before the end" : message(e));
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
        console.line("brokers at " + servers + "; logs of the " + application.word() + "s in " + logs);
        boolean own = kafka.isPresent();
        try (Admin admin = Admin.create(
                        Map.of("bootstrap.servers", servers, "default.api.timeout.ms", ADMIN_TIMEOUT_MILLIS));
                Topics.Created created = topics.create(
                        admin, application.partitions(), application.group(admin, topics), !own && !arguments.keep());
                Verifier verifier = new Verifier(servers, topics, ledger, signal);
                Feeder feeder = new Feeder(
                        servers, topics.rows(), rows.lines(), Duration.ofSeconds(arguments.seconds()), signal);
                Instances instances = new Instances(application.instances(), number -> instance(servers, number))) {
            Scene scene = new Scene(
                    servers,
                    kafka,
                    admin,
                    topics,
                    created.group(),
                    instances,
                    application,
                    rows.size(),
                    feeder,
                    ledger,
                    signal,
                    console);
            try {
                play(scene, verifier);
            } finally {
                tallies = instances.tallies();
            }
        }
    }

    private void play(Scene scene, Verifier verifier) {
        verifier.start();
        scene.group().set();
        scene.instances().start();
        Mayhem mayhem = new Mayhem(scene);
        mayhem.awaitWholeGroup();
        guarantee = scene.instances().guarantee();
        if (guarantee == Guarantee.AT_LEAST_ONCE) {
            console.line(AT_LEAST_ONCE);
        }
        console.line(application.members() + " members in " + application.instances() + " processes share "
                + application.partitions() + " partitions; " + rows.size() + " rows come in over "
                + arguments.seconds() + " s");
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
        console.line("everything came out; stopping the " + application.word()
                + "s, waiting for the end of all transactions");
        scene.instances().stop();
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
                        Stream.of(application.name(), servers, topics.run(), Integer.toString(number)),
                        rows.columns().stream())
                .toList();
        return new InstanceProcess(
                application.word() + " " + number,
                ChildJvm.command(Instance.class, args),
                logs.resolve(application.word() + "-" + number + ".log"),
                signal);
    }

    /** A client that cannot be made says why only in its cause. */
    private static String message(Exception e) {
        Throwable cause = e.getCause();
        return e instanceof KafkaException && cause != null
                ? e.getMessage() + ": " + cause.getMessage()
                : String.valueOf(e.getMessage());
    }

    private void fail(String message) {
        err.println("FAILED: " + message);
        err.println("Logs of the " + application.word() + "s: " + logs);
    }

    /** Whether it came to its end, and every record came out as often as was promised. */
    private boolean result() {
        Verdict verdict = ledger.verdict(guarantee, complete);
        out.println();
        out.print(Report.table(tallies));
        out.printf(
                "%d records out in %.1f s: %.0f a second, all blows included%n",
                ledger.seen(), processing.toMillis() / 1e3, ledger.seen() * 1e3 / Math.max(1, processing.toMillis()));
        if (guarantee == Guarantee.AT_LEAST_ONCE) {
            out.println(AT_LEAST_ONCE);
        }
        out.print(verdict.details());
        out.println();
        out.println(verdict);
        out.flush();
        return complete && verdict.isAsPromised();
    }
}
