package io.github.kafkatxn.cluster.internal.log;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.record.internal.RecordBatch;

/** Which leader epoch began at which offset of a log. */
final class LeaderEpochs {
    private static final long UNKNOWN = -1;

    private final NavigableMap<Integer, Long> starts = new TreeMap<>();

    /** An epoch begins; epochs in which nothing was written are forgotten. */
    void begin(int epoch, long offset) {
        if (!starts.isEmpty() && starts.lastKey() >= epoch) {
            return;
        }
        starts.values().removeIf(start -> start >= offset);
        starts.put(epoch, offset);
    }

    /** Where an epoch ended: the latest one that is not higher, and the offset behind it. */
    EpochEnd endOf(int epoch, long endOffset) {
        if (epoch == RecordBatch.NO_PARTITION_LEADER_EPOCH || starts.isEmpty()) {
            return new EpochEnd(RecordBatch.NO_PARTITION_LEADER_EPOCH, UNKNOWN);
        }
        if (epoch == starts.lastKey()) {
            return new EpochEnd(epoch, endOffset);
        }
        Map.Entry<Integer, Long> higher = starts.higherEntry(epoch);
        if (higher == null) {
            return new EpochEnd(RecordBatch.NO_PARTITION_LEADER_EPOCH, UNKNOWN);
        }
        Integer floor = starts.floorKey(epoch);
        return new EpochEnd(floor == null ? epoch : floor, higher.getValue());
    }

    Optional<Integer> latest() {
        return starts.isEmpty() ? Optional.empty() : Optional.of(starts.lastKey());
    }

    /** The epoch of the first offset that is kept. */
    Optional<Integer> earliest(long startOffset) {
        return Optional.ofNullable(starts.firstEntry())
                .filter(entry -> entry.getValue() <= startOffset)
                .map(Map.Entry::getKey);
    }

    /** The log begins later from now on. */
    void truncateBefore(long startOffset) {
        Integer current = null;
        for (Map.Entry<Integer, Long> entry : starts.entrySet()) {
            if (entry.getValue() <= startOffset) {
                current = entry.getKey();
            }
        }
        if (current != null) {
            starts.headMap(current, false).clear();
            starts.put(current, startOffset);
        }
    }
}
