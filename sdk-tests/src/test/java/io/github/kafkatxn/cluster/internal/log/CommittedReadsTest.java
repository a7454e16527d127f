package io.github.kafkatxn.cluster.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reader of committed records gets: scenario C40, and the same with any interleaving. */
class CommittedReadsTest {
    private static final int ALL = 1_000_000;
    private static final long A = 1;
    private static final long B = 2;

    private final TestPartition partition = new TestPartition();

    @Test
    void twoProducersInterleaved() {
        partition.produce(A, 0, 0);
        partition.produce(B, 0, 0);
        partition.produce(A, 0, 1);
        assertStable(0);
        partition.marker(B, 1, true, 2);
        assertStable(0);
        assertThat(partition.committedFrom(0, ALL)).as("B waits for A").isEmpty();
        partition.marker(A, 1, false, 2);
        assertStable(5);
        assertThat(partition.committedFrom(0, ALL)).containsExactly("1:v0");
        partition.produce(A, 1, 0);
        assertStable(5);
        assertThat(partition.committedFrom(0, ALL)).containsExactly("1:v0");
        partition.marker(A, 2, true, 2);
        assertStable(7);
        for (int from = 0; from <= 7; from++) {
            List<String> expected = new ArrayList<>();
            if (from <= 1) {
                expected.add("1:v0");
            }
            if (from <= 5) {
                expected.add("5:v0");
            }
            assertThat(partition.committedFrom(from, ALL)).as("from %d", from).isEqualTo(expected);
        }
    }

    @Test
    void theAbortedListNamesWhatOverlapsTheSliceAndEndsNotFarBehindIt() {
        partition.produce(A, 0, 0);
        partition.marker(A, 1, false, 2);
        partition.produce(B, 0, 0);
        partition.marker(B, 1, false, 2);
        int oneBatch = partition.log.read(0, 1, true, true).sizeInBytes();
        LogSlice first = partition.log.read(0, oneBatch, true, true);
        assertThat(first.nextOffset()).isEqualTo(1);
        assertThat(partition.log.abortedTransactions(0, first.nextOffset()))
                .containsExactly(new AbortedTransaction(A, 0));
        assertThat(first.upperBound()).isEqualTo(4);
        partition.led.append(LogReadTest.batch(0, 5_000, 1, 1));
        partition.produce(B, 1, 0);
        assertThat(partition.log.read(0, oneBatch, true, true).upperBound()).isEqualTo(5);
        assertThat(partition.log.abortedTransactions(1, 4))
                .as("the marker of A is still to be read")
                .containsExactly(new AbortedTransaction(A, 0), new AbortedTransaction(B, 2));
        assertThat(partition.log.abortedTransactions(2, 4)).containsExactly(new AbortedTransaction(B, 2));
    }

    @Test
    void deletedRecordsTakeTheirAbortedTransactionsWithThem() {
        partition.produce(A, 0, 0);
        partition.marker(A, 1, false, 2);
        partition.produce(B, 0, 0);
        partition.led.deleteBefore(2);
        assertThat(partition.log.abortedTransactions(0, 3)).isEmpty();
        assertStable(2);
        partition.led.deleteBefore(3);
        assertStable(3);
        assertThat(partition.committedFrom(3, ALL)).isEmpty();
        partition.marker(B, 1, false, 2);
        assertStable(4);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anyInterleavingFromAnyOffsetWithAnyLimit(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Set<String> committed = new HashSet<>();
        Map<Long, List<String>> open = new HashMap<>();
        Map<Long, int[]> next = new HashMap<>();
        for (int i = 0; i < 300; i++) {
            long pid = random.nextInt(4);
            int[] epochAndSequence = next.computeIfAbsent(pid, id -> new int[2]);
            if (open.containsKey(pid) && random.nextInt(3) == 0) {
                boolean commit = random.nextBoolean();
                partition.marker(pid, ++epochAndSequence[0], commit, 2);
                List<String> written = open.remove(pid);
                if (commit) {
                    committed.addAll(written);
                }
                epochAndSequence[1] = 0;
            } else {
                Appended appended = partition.produce(pid, epochAndSequence[0], epochAndSequence[1]);
                open.computeIfAbsent(pid, id -> new ArrayList<>())
                        .add(appended.baseOffset() + ":v" + epochAndSequence[1]);
                epochAndSequence[1]++;
            }
        }
        long stable = partition.log.lastStableOffset();
        for (int from = 0; from <= stable; from++) {
            int limit = 1 + random.nextInt(2_000);
            LogSlice slice = partition.log.read(from, limit, true, true);
            assertThat(partition.committedFrom(from, limit))
                    .as("seed %d, from %d, limit %d", seed, from, limit)
                    .allMatch(committed::contains);
            assertThat(slice.nextOffset()).isLessThanOrEqualTo(stable);
        }
        assertThat(readAll(stable)).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(upTo(stable, committed));
    }

    private List<String> readAll(long end) {
        List<String> values = new ArrayList<>();
        long from = 0;
        while (from < end) {
            values.addAll(partition.committedFrom(from, 200));
            long next = from;
            for (var batch : partition.log.read(from, 200, true, true).records().batches()) {
                next = batch.nextOffset();
            }
            from = next;
        }
        return values;
    }

    private static List<String> upTo(long end, Set<String> values) {
        return values.stream()
                .filter(value -> Long.parseLong(value.substring(0, value.indexOf(':'))) < end)
                .toList();
    }

    private void assertStable(long offset) {
        assertThat(partition.led.lastStableOffset()).isEqualTo(offset);
    }
}
