package io.github.kafkatxn.bench;

import java.util.List;

/** Runs the benchmarks: {@code [rounds] [NAME ...]}; {@code classify}, {@code send} and {@code loops} by default. */
final class Bench {
    private static final List<String> NAMES =
            List.of("classify", "send", "loops", "loops-on-reference", "offsets", "share", "capacity");

    private Bench() {}

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 && args[0].matches("[1-9][0-9]?") ? Integer.parseInt(args[0]) : 5;
        List<String> chosen =
                List.of(args).stream().filter(arg -> !arg.matches("[0-9]+")).toList();
        if (!NAMES.containsAll(chosen)) {
            System.err.println("usage: [rounds, 1 to 99] " + NAMES + "; not known: " + chosen);
            System.exit(2);
        }
        for (String name : chosen.isEmpty() ? NAMES.subList(0, 3) : chosen) {
            run(name, rounds);
        }
    }

    private static void run(String name, int rounds) throws Exception {
        switch (name) {
            case "classify" -> new ClassifyBenchmark(rounds).run();
            case "send" -> new SendBenchmark(rounds * 5).run();
            case "loops" -> new LoopBenchmark(rounds * 4).run(Broker.ofApacheKafka());
            case "loops-on-reference" -> new LoopBenchmark(rounds * 4).run(Broker.ofReferenceCluster());
            case "offsets" -> new OffsetsBenchmark(rounds).run();
            case "share" -> new ShareBenchmark(rounds).run();
            default -> CapacityBenchmark.run();
        }
    }
}
