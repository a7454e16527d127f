package io.github.kafkatxn.cluster;

import java.io.IOException;
import java.util.Arrays;

/** How long clusters take to start and to close: prints the median and the slowest of some rounds, in milliseconds. */
public final class StartTimes {
    private static final int ROUNDS = 40;
    private static final int WARM_UP = 10;

    private StartTimes() {}

    /** Runs from an IDE, or with the test class path. */
    public static void main(String[] args) throws IOException {
        for (int nodes : new int[] {1, 3}) {
            double[] starts = new double[ROUNDS];
            double[] closes = new double[ROUNDS];
            for (int round = -WARM_UP; round < ROUNDS; round++) {
                long before = System.nanoTime();
                ReferenceCluster cluster = ReferenceCluster.start(
                        ClusterSettings.builder().nodes(nodes).build());
                long started = System.nanoTime();
                try (RawClient client = RawClient.of(cluster)) {
                    client.apiVersions();
                }
                long used = System.nanoTime();
                cluster.close();
                long closed = System.nanoTime();
                if (round >= 0) {
                    starts[round] = (started - before) / 1e6;
                    closes[round] = (closed - used) / 1e6;
                }
            }
            print(nodes + " nodes, start", starts);
            print(nodes + " nodes, close", closes);
        }
    }

    private static void print(String what, double[] millis) {
        Arrays.sort(millis);
        System.out.printf("%s: median %.1f, slowest %.1f%n", what, millis[ROUNDS / 2], millis[ROUNDS - 1]);
    }
}
