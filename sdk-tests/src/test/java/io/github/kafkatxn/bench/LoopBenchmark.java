package io.github.kafkatxn.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The processor against the textbook loop and the hand-written best, on one broker, in interleaved rounds: what the
 * machine does besides hits all of them.
 */
final class LoopBenchmark {
    private static final List<Integer> SIZES = List.of(10, 100, 1000);

    private final int rounds;

    LoopBenchmark(int rounds) {
        this.rounds = rounds;
    }

    /** Closes the broker. */
    void run(Broker owned) throws Exception {
        try (Broker broker = owned) {
            broker.load(400_000);
            List<CopyLoop> loops = List.of(
                    HandWrittenLoop.textbook(broker),
                    HandWrittenLoop.best(broker),
                    ProcessorLoop.ofConsumerGroup(broker));
            System.out.println("warming up");
            for (CopyLoop loop : loops) {
                loop.run(records(loop, 10), 10);
                loop.run(records(loop, 1000) / 2, 1000);
            }
            Map<Integer, Map<String, List<Measurement>>> results = new LinkedHashMap<>();
            for (int round = 1; round <= rounds; round++) {
                for (int size : SIZES) {
                    for (CopyLoop loop : loops) {
                        Measurement measured = loop.run(records(loop, size), size);
                        results.computeIfAbsent(size, s -> new LinkedHashMap<>())
                                .computeIfAbsent(loop.name(), n -> new ArrayList<>())
                                .add(measured);
                    }
                }
                System.out.println("round " + round + " of " + rounds + " done");
            }
            print(results, loops);
        }
    }

    /** The textbook loop waits most of the time; a few hundred transactions tell as much. */
    private static long records(CopyLoop loop, int size) {
        int transactions = size == 1000 ? 400 : 2000;
        return (long) size * (loop.name().equals("textbook") ? 200 : transactions);
    }

    private static void print(Map<Integer, Map<String, List<Measurement>>> results, List<CopyLoop> loops) {
        printTable(results);
        String processor = loops.get(2).name();
        results.forEach((size, byLoop) -> System.out.printf(
                Locale.ROOT,
                "ratio best %d throughput %.2f p99 %.2f%n",
                size,
                ratio(byLoop, processor, loops.get(1).name(), Measurement::recordsPerSecond),
                ratio(byLoop, processor, loops.get(1).name(), m -> m.percentileMillis(99))));
        results.forEach((size, byLoop) -> System.out.printf(
                Locale.ROOT,
                "ratio textbook %d throughput %.2f p99 %.3f%n",
                size,
                ratio(byLoop, processor, loops.get(0).name(), Measurement::recordsPerSecond),
                ratio(byLoop, processor, loops.get(0).name(), m -> m.percentileMillis(99))));
    }

    static void printTable(Map<Integer, Map<String, List<Measurement>>> results) {
        System.out.printf(
                Locale.ROOT,
                "%n%-28s %8s %12s %8s %8s %8s   (medians)%n",
                "loop",
                "rec/txn",
                "records/s",
                "txn/s",
                "p50 ms",
                "p99 ms");
        results.forEach((size, byLoop) -> byLoop.forEach((loop, runs) -> System.out.printf(
                Locale.ROOT,
                "%-28s %8d %12.0f %8.0f %8.2f %8.2f%n",
                loop,
                size,
                median(runs, Measurement::recordsPerSecond),
                median(runs, Measurement::transactionsPerSecond),
                median(runs, m -> m.percentileMillis(50)),
                median(runs, m -> m.percentileMillis(99)))));
        System.out.println();
    }

    static double ratio(
            Map<String, List<Measurement>> byLoop, String a, String b, ToDoubleFunction<Measurement> figure) {
        return median(byLoop.getOrDefault(a, List.of()), figure) / median(byLoop.getOrDefault(b, List.of()), figure);
    }

    private static double median(List<Measurement> runs, ToDoubleFunction<Measurement> figure) {
        double[] sorted = runs.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
