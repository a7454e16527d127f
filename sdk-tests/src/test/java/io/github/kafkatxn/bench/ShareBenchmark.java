package io.github.kafkatxn.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The processor of a share group against that of a consumer group, both exactly once on the reference cluster, in
 * interleaved rounds; and many lanes in one share group.
 */
final class ShareBenchmark {
    private static final int PER_TRANSACTION = 100;
    private static final long RECORDS = 100_000;
    private static final int MANY = 32;

    private final int rounds;

    ShareBenchmark(int rounds) {
        this.rounds = rounds;
    }

    void run() throws Exception {
        try (Broker broker = Broker.ofReferenceCluster()) {
            broker.load((int) RECORDS, PER_TRANSACTION);
            List<CopyLoop> loops = List.of(
                    ProcessorLoop.ofConsumerGroup(broker),
                    ProcessorLoop.ofShareGroup(broker, 1),
                    ProcessorLoop.ofShareGroup(broker, MANY));
            System.out.println("warming up");
            for (CopyLoop loop : loops) {
                loop.run(RECORDS / 2, PER_TRANSACTION);
            }
            Map<String, List<Measurement>> results = new LinkedHashMap<>();
            for (int round = 1; round <= rounds; round++) {
                for (CopyLoop loop : loops) {
                    results.computeIfAbsent(loop.name(), name -> new ArrayList<>())
                            .add(loop.run(RECORDS, PER_TRANSACTION));
                }
                System.out.println("round " + round + " of " + rounds + " done");
            }
            LoopBenchmark.printTable(Map.of(PER_TRANSACTION, results));
            for (CopyLoop loop : loops.subList(1, loops.size())) {
                System.out.printf(
                        "ratio %s to %s: throughput %.2f%n",
                        loop.name(), loops.get(0).name(), LoopBenchmark.throughputRatio(results, loop, loops.get(0)));
            }
        }
    }
}
