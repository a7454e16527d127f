package io.github.kafkatxn.bench;

import java.util.List;

/**
 * One run of a loop.
 *
 * @param records input records committed
 * @param seconds from the first record polled to the last commit
 * @param latencies of its transactions, begin to commit, in nanoseconds, sorted
 */
record Measurement(long records, double seconds, List<Long> latencies) {

    Measurement {
        latencies = latencies.stream().sorted().toList();
    }

    /** {@return the runs of a loop as one} */
    static Measurement sum(List<Measurement> runs) {
        return new Measurement(
                runs.stream().mapToLong(Measurement::records).sum(),
                runs.stream().mapToDouble(Measurement::seconds).sum(),
                runs.stream().flatMap(run -> run.latencies().stream()).toList());
    }

    double recordsPerSecond() {
        return records / seconds;
    }

    double transactionsPerSecond() {
        return latencies.size() / seconds;
    }

    double percentileMillis(int percent) {
        return latencies.get((int) Math.min(latencies.size() - 1L, (long) latencies.size() * percent / 100)) / 1e6;
    }
}
