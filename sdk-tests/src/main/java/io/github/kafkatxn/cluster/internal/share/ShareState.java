package io.github.kafkatxn.cluster.internal.share;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a share coordinator knows of a share partition: the state that survives its leader. */
final class ShareState {
    /** The beginning is not known yet: the group's {@code share.auto.offset.reset} says it. */
    static final long NO_OFFSET = -1;

    private final TreeMap<Long, StateBatch> batches = new TreeMap<>();
    private final int stateEpoch;
    private int leaderEpoch;
    private long startOffset;
    private int completeCount;

    ShareState(int stateEpoch, int leaderEpoch, long startOffset) {
        this.stateEpoch = stateEpoch;
        this.leaderEpoch = leaderEpoch;
        this.startOffset = startOffset;
    }

    int stateEpoch() {
        return stateEpoch;
    }

    int leaderEpoch() {
        return leaderEpoch;
    }

    long startOffset() {
        return startOffset;
    }

    int completeCount() {
        return completeCount;
    }

    List<StateBatch> batches() {
        return List.copyOf(batches.values());
    }

    void lead(int epoch) {
        leaderEpoch = Math.max(leaderEpoch, epoch);
    }

    /** Takes over what a leader writes: later batches replace earlier ones where they meet. */
    void update(int epoch, long newStart, int newCompleteCount, List<StateBatch> changes) {
        lead(epoch);
        startOffset = Math.max(startOffset, newStart);
        completeCount = newCompleteCount;
        changes.forEach(this::put);
        cut(Long.MIN_VALUE, startOffset - 1);
    }

    /** {@return whether anything has waited for it} */
    boolean end(Marker marker) {
        List<StateBatch> ended = new ArrayList<>();
        for (StateBatch batch : batches.values()) {
            if (batch.staging() != null && batch.staging().isEndedBy(marker)) {
                ended.add(batch.ended(marker.commit()));
            }
        }
        ended.forEach(batch -> batches.put(batch.first(), batch));
        if (!ended.isEmpty()) {
            advance();
        }
        return !ended.isEmpty();
    }

    /** What is done with at the beginning is passed over; its leader does the same. */
    private void advance() {
        StateBatch head = batches.get(startOffset);
        while (head != null && head.state().isFinal()) {
            batches.remove(head.first());
            startOffset = head.last() + 1;
            head = batches.get(startOffset);
        }
        completeCount = (int) batches.values().stream()
                .filter(batch -> batch.state().isFinal())
                .mapToLong(StateBatch::size)
                .sum();
    }

    private void put(StateBatch batch) {
        cut(batch.first(), batch.last());
        batches.put(batch.first(), batch);
    }

    /** Nothing is known of these offsets any more. */
    private void cut(long from, long to) {
        Map.Entry<Long, StateBatch> before = batches.lowerEntry(from);
        List<StateBatch> touched =
                new ArrayList<>(batches.subMap(from, true, to, true).values());
        if (before != null && before.getValue().last() >= from) {
            touched.add(before.getValue());
        }
        for (StateBatch batch : touched) {
            batches.remove(batch.first());
            if (batch.first() < from) {
                batches.put(batch.first(), batch.between(batch.first(), from - 1));
            }
            if (batch.last() > to) {
                batches.put(to + 1, batch.between(to + 1, batch.last()));
            }
        }
    }
}
