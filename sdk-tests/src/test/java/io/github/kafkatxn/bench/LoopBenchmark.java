package io.github.kafkatxn.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The processor against the textbook loop and the hand-written best, on one broker, in many short rounds that each
 * begin with another loop: what the machine does besides lasts longer than a round and hits all of them.
 */
final class LoopBenchmark {
    private static final List<Integer> SIZES = List.of(10, 100, 1000);

    private static final int WARM_UP = 4;

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
            for (int round = 0; round < WARM_UP; round++) {
                measure(loops, round);
            }
            Map<Integer, Map<String, List<Measurement>>> results = new LinkedHashMap<>();
            for (int round = 1; round <= rounds; round++) {
                measure(loops, round)
                        .forEach((size, measured) -> measured.forEach(
                                (loop, run) -> results.computeIfAbsent(size, s -> new LinkedHashMap<>())
                                        .computeIfAbsent(loop, n -> new ArrayList<>())
                                        .add(run)));
                System.out.println("round " + round + " of " + rounds + " done");
            }
            print(results, loops);
        }
    }

    private static Map<Integer, Map<String, Measurement>> measure(List<CopyLoop> loops, int round) throws Exception {
        List<CopyLoop> inTurn = new ArrayList<>(loops);
        Collections.rotate(inTurn, round);
        Map<Integer, Map<String, Measurement>> measured = new LinkedHashMap<>();
        for (int size : SIZES) {
            Map<String, Measurement> ofSize = new LinkedHashMap<>();
            for (CopyLoop loop : inTurn) {
                ofSize.put(loop.name(), loop.run(records(loop, size), size));
            }
            measured.put(size, ofSize);
        }
        return measured;
    }

    /** The textbook loop waits most of the time; fewer transactions tell as much. */
    private static long records(CopyLoop loop, int size) {
        int transactions = size == 1000 ? 200 : 500;
        return (long) size * (loop.name().equals("textbook") ? 60 : transactions);
    }

    private static void print(Map<Integer, Map<String, List<Measurement>>> results, List<CopyLoop> loops) {
        printTable(results);
        printRatios("best", results, loops.get(2), loops.get(1));
        printRatios("textbook", results, loops.get(2), loops.get(0));
    }

    private static void printRatios(
            String name, Map<Integer, Map<String, List<Measurement>>> results, CopyLoop loop, CopyLoop against) {
        results.forEach((size, byLoop) -> System.out.printf(
                Locale.ROOT,
                "ratio %s %d throughput %.2f p99 %.3f%n",
                name,
                size,
                throughputRatio(byLoop, loop, against),
                of(byLoop, loop).percentileMillis(99) / of(byLoop, against).percentileMillis(99)));
    }

    /** Medians of the rounds, and percentiles of all transactions. */
    static void printTable(Map<Integer, Map<String, List<Measurement>>> results) {
        System.out.printf(
                Locale.ROOT,
                "%n%-28s %8s %12s %8s %8s %8s%n",
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
                median(runs.stream().mapToDouble(Measurement::recordsPerSecond)),
                median(runs.stream().mapToDouble(Measurement::transactionsPerSecond)),
                Measurement.sum(runs).percentileMillis(50),
                Measurement.sum(runs).percentileMillis(99))));
        System.out.println();
    }

    /** {@return the median of the ratios of each round} */
    static double throughputRatio(Map<String, List<Measurement>> byLoop, CopyLoop loop, CopyLoop against) {
        List<Measurement> those = byLoop.getOrDefault(loop.name(), List.of());
        List<Measurement> others = byLoop.getOrDefault(against.name(), List.of());
        return median(IntStream.range(0, those.size())
                .mapToDouble(round ->
                        those.get(round).recordsPerSecond() / others.get(round).recordsPerSecond()));
    }

    private static Measurement of(Map<String, List<Measurement>> byLoop, CopyLoop loop) {
        return Measurement.sum(byLoop.getOrDefault(loop.name(), List.of()));
    }

    private static double median(DoubleStream figures) {
        double[] sorted = figures.sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
