package io.github.kafkatxn.examples.job;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the job was asked to do. */
public final class Arguments {
    private static final String ROWS_TO_EVENTS = """
            Runs an exactly-once application in two processes on real rows, hurts it meanwhile, and counts what comes out.

            mvn -q -pl examples -am compile exec:java [-Dexec.args="OPTIONS"]

            With share before the options: a work queue with workers in a share group; -Dexec.args="share --help".

            """;
    private static final String ROW_WORKERS = """
            Runs a work queue on real rows: six workers in three processes share two partitions in a share group. One is
            killed, one is too slow for its lock, some rows cannot be processed. Counts what comes out.

            mvn -q -pl examples -am compile exec:java -Dexec.args="share [OPTIONS]"

            Exactly once on brokers that take acknowledgements into a transaction (KIP-1289), such as the reference
            cluster; at least once on released brokers, which it says.

            """;
    private static final String OPTIONS = """
              --input FILE                  at least 200 rows to process, one a line: a .csv file with column names in its
                                            first line, or any other text, UTF-8. Default: 10,000 wildlife strike
                                            reports (FAA)
              --records N                   only the first N rows of the input, at least 200
              --seconds S                   the time over which the rows come in, 1 to 3600. Default 30
              --kafka reference|apache      which Kafka to start: the reference cluster in this process, or Apache Kafka
                                            in processes of its own, which takes a quarter of a minute. Default reference
              --brokers N                   how many brokers to start, 1 to 3. Default 3
              --bootstrap-servers HOST:PORT[,HOST:PORT...]
                                            your own cluster instead. Topics with names of their own are created and
                                            deleted, the application is hurt, the brokers are not
              --keep                        do not delete the topics on your own cluster
              --help                        this text

            A value follows its option or an equals sign.

            Exit status: 0 if every row came out once, 1 if not, 2 if the arguments are wrong.
            """;
    private static final String SHARE_STATUS = """
            Where it is at least once, 0 if every row came out.
            """;

    private static final String SHARE = "share";
    private static final int MAX_PORT = 65_535;

    /** Which Kafka is started. */
    enum Kafka {
        /** The reference cluster, in this process. */
        REFERENCE,
        /** Apache Kafka, in child processes. */
        APACHE
    }

    private final Application application;
    private @Nullable String bootstrapServers;
    private @Nullable Path input;
    private Kafka kafka = Kafka.REFERENCE;
    private int brokers = 3;
    private int records = Integer.MAX_VALUE;
    private int seconds = 30;
    private boolean keep;
    private boolean help;

    private Arguments(Application application) {
        this.application = application;
    }

    /**
     * Reads the arguments.
     *
     * @param args as on the command line
     * @return what they say
     * @throws IllegalArgumentException if one is wrong; the message names it and what is allowed
     */
    public static Arguments parse(String... args) {
        Deque<String> left = new ArrayDeque<>(List.of(args));
        boolean share = SHARE.equals(left.peekFirst());
        if (share) {
            left.removeFirst();
        }
        Arguments parsed = new Arguments(share ? Application.ROW_WORKERS : Application.ROWS_TO_EVENTS);
        Set<String> given = new HashSet<>();
        while (!left.isEmpty()) {
            String option = separated(left);
            given.add(option);
            parsed.read(option, left);
        }
        for (String start : List.of("--kafka", "--brokers")) {
            if (parsed.bootstrapServers != null && given.contains(start)) {
                throw new IllegalArgumentException(
                        start + " and --bootstrap-servers: brokers are started or given, not both");
            }
        }
        if (parsed.bootstrapServers == null && parsed.keep) {
            throw new IllegalArgumentException(
                    "--keep is for --bootstrap-servers: brokers that are started here end here");
        }
        return parsed;
    }

    /** Takes the next option; what follows its equals sign is left as its value. */
    private static String separated(Deque<String> left) {
        String first = left.removeFirst();
        int equals = first.indexOf('=');
        if (!first.startsWith("--") || equals < 0) {
            return first;
        }
        left.addFirst(first.substring(equals + 1));
        return first.substring(0, equals);
    }

    private void read(String option, Deque<String> left) {
        switch (option) {
            case "--bootstrap-servers" -> bootstrapServers = servers(value(option, left));
            case "--kafka" -> kafka = kafka(value(option, left));
            case "--brokers" -> brokers = number(option, value(option, left), 1, 3);
            case "--input" -> input = Path.of(value(option, left));
            case "--records" -> records = number(option, value(option, left), Rows.MIN_ROWS, Integer.MAX_VALUE);
            case "--seconds" -> seconds = number(option, value(option, left), 1, 3600);
            case "--keep" -> keep = true;
            case "--help", "-h" -> help = true;
            default -> throw new IllegalArgumentException("unknown argument " + option);
        }
    }

    private static String value(String option, Deque<String> left) {
        if (left.isEmpty() || left.getFirst().startsWith("--")) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return left.removeFirst();
    }

    private static int number(String option, String value, int from, int to) {
        try {
            int number = Integer.parseInt(value);
            if (number >= from && number <= to) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " " + value + ": a number from " + from + " to " + to, e);
        }
        throw new IllegalArgumentException(option + " " + value + ": allowed is " + from + " to " + to);
    }

    private static Kafka kafka(String value) {
        return switch (value) {
            case "reference" -> Kafka.REFERENCE;
            case "apache" -> Kafka.APACHE;
            default -> throw new IllegalArgumentException("--kafka " + value + ": reference or apache expected");
        };
    }

    private static String servers(String value) {
        for (String server : value.split(",", -1)) {
            if (!server.matches("\\S+:\\d{1,5}")) {
                throw new IllegalArgumentException(
                        "--bootstrap-servers " + value + ": HOST:PORT[,HOST:PORT...] expected");
            }
            int port = Integer.parseInt(server.substring(server.lastIndexOf(':') + 1));
            if (port < 1 || port > MAX_PORT) {
                throw new IllegalArgumentException(
                        "--bootstrap-servers " + value + ": ports are from 1 to " + MAX_PORT + ", not " + port);
            }
        }
        return value;
    }

    /** {@return what {@code --help} prints} */
    public String usage() {
        return switch (application) {
            case ROWS_TO_EVENTS -> ROWS_TO_EVENTS + OPTIONS;
            case ROW_WORKERS -> ROW_WORKERS + OPTIONS + SHARE_STATUS;
        };
    }

    Application application() {
        return application;
    }

    /** {@return whether {@code --help} was given} */
    public boolean help() {
        return help;
    }

    Optional<String> bootstrapServers() {
        return Optional.ofNullable(bootstrapServers);
    }

    Optional<Path> input() {
        return Optional.ofNullable(input);
    }

    Kafka kafka() {
        return kafka;
    }

    int brokers() {
        return brokers;
    }

    int records() {
        return records;
    }

    int seconds() {
        return seconds;
    }

    boolean keep() {
        return keep;
    }
}
