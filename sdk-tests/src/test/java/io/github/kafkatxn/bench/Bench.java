package io.github.kafkatxn.bench;

import java.util.List;
import java.util.Set;

/** Runs the benchmarks: {@code [rounds] [send|classify|loops|share ...]}; all of them by default, the loops last. */
final class Bench {
    private static final Set<String> NAMES = Set.of("send", "classify", "loops", "share");

    private Bench() {}

    public static void main(String[] args) throws Exception {
        int rounds = args.length > 0 && args[0].matches("[1-9][0-9]?") ? Integer.parseInt(args[0]) : 5;
        List<String> chosen =
                List.of(args).stream().filter(arg -> !arg.matches("[0-9]+")).toList();
        if (!NAMES.containsAll(chosen)) {
            System.err.println("usage: [rounds, 1 to 99] [send] [classify] [loops] [share]; not known: " + chosen);
            System.exit(2);
        }
        if (chosen.isEmpty() || chosen.contains("classify")) {
            new ClassifyBenchmark(rounds).run();
        }
        if (chosen.isEmpty() || chosen.contains("send")) {
            new SendBenchmark(rounds * 5).run();
        }
        if (chosen.isEmpty() || chosen.contains("loops")) {
            new LoopBenchmark(rounds).run();
        }
        if (chosen.isEmpty() || chosen.contains("share")) {
            new ShareBenchmark(rounds).run();
        }
    }
}
