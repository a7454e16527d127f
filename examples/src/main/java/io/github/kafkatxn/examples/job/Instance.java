package io.github.kafkatxn.examples.job;

import io.github.kafkatxn.examples.RowsToEvents;
import io.github.kafkatxn.processor.Guarantee;
import io.github.kafkatxn.processor.Processor;
import io.github.kafkatxn.processor.ProcessorListener;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.RecordTransform;
import io.github.kafkatxn.processor.StopReason;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One instance of the application, a process of its own. It obeys lines on stdin (hold, release, stop; at the end of
 * stdin it is gone at once, so it does not outlive the job) and reports on stdout.
 */
final class Instance {
    static final String HOLD = "hold";
    static final String RELEASE = "release";
    static final String STOP = "stop";
    static final String REPORT = "report ";
    static final String STARTED = "started ";
    static final String AGAIN = "again ";
    static final String HOLDING = "holding ";
    static final String STOPPED = "stopped ";

    private static final Duration REPORT_EVERY = Duration.ofMillis(200);

    private Instance() {}

    /** Application, bootstrap servers, run, name of the instance, names of the columns. */
    public static void main(String[] args) throws InterruptedException {
        Application application = Application.valueOf(args[0]);
        Topics topics = new Topics(args[2]);
        List<String> columns = List.of(args).subList(4, args.length);
        Hold hold = new Hold(held -> print(HOLDING + held));
        Counting counting = new Counting();
        ProcessorSettings settings = application
                .settings(args[1], topics, args[3])
                .shutdownTimeout(Duration.ofSeconds(15))
                .transactionListener(counting)
                .transactionListener(hold)
                .listener(counting)
                .listener(new ProcessorListener() {
                    @Override
                    public void onStarted(int lane, Guarantee guarantee) {
                        print(STARTED + guarantee.name());
                    }
                })
                .build();
        try (Processor processor =
                application.create(settings, reported(hold.around(new RowsToEvents(columns, topics.events()))))) {
            processor.start();
            Thread control = new Thread(() -> obey(hold, processor), "control");
            control.setDaemon(true);
            control.start();
            Optional<StopReason> reason = Optional.empty();
            while (reason.isEmpty()) {
                reason = processor.awaitStop(REPORT_EVERY);
                print(REPORT + counting.tally().toLine());
            }
            print(STOPPED + reason.get().kind() + " " + reason.get().message());
        }
    }

    /** Says so when a record was delivered before, to whomever. */
    private static <KI, VI, KO, VO> RecordTransform<KI, VI, KO, VO> reported(
            RecordTransform<KI, VI, KO, VO> transform) {
        return (record, outputs) -> {
            Delivery delivery = Delivery.of(record);
            if (delivery.count() > 1) {
                print(AGAIN + delivery);
            }
            transform.transform(record, outputs);
        };
    }

    private static void obey(Hold hold, Processor processor) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                switch (line) {
                    case HOLD -> hold.ask();
                    case RELEASE -> hold.release();
                    case STOP -> {
                        hold.release();
                        processor.stop();
                    }
                    default -> System.err.println("not understood: " + line);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("stdin cannot be read", e);
        } finally {
            // Whoever started this is gone, and its brokers with it: nothing is left that a stop could end well with.
            Runtime.getRuntime().halt(1);
        }
    }

    private static void print(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
