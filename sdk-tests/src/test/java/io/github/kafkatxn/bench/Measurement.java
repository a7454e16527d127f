package io.github.kafkatxn.bench;

import java.util.Arrays;

/**
 * One run of a loop.
 *
 * @param records input records committed
 * @param seconds from the first record polled to the last commit
 * @param latencies of its transactions, begin to commit, in nanoseconds, sorted
 */
record Measurement(long records, double seconds, long[] latencies) {

    Measurement {
        Arrays.sort(latencies);
    }

    double recordsPerSecond() {
        return records / seconds;
    }

    double transactionsPerSecond() {
        return latencies.length / seconds;
    }

    double percentileMillis(int percent) {
        return latencies[(int) Math.min(latencies.length - 1L, (long) latencies.length * percent / 100)] / 1e6;
    }
}
