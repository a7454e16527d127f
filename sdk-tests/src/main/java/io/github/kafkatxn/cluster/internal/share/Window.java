package io.github.kafkatxn.cluster.internal.share;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The offsets of a share partition that somebody has seen and that are not all done with yet, without holes. */
final class Window {
    private final NavigableMap<Long, InFlight> offsets = new TreeMap<>();
    private final Map<Long, Integer> sizes = new HashMap<>();
    private long start;
    private long end;
    private long acquisitions;

    Window(long start, List<StateBatch> batches) {
        this.start = start;
        this.end = start;
        for (StateBatch batch : batches) {
            fillTo(batch.first(), RecordState.AVAILABLE);
            long acquisition = nextAcquisition();
            for (long offset = Math.max(end, batch.first()); offset <= batch.last(); offset++) {
                add(new InFlight(acquisition, batch.state(), batch.deliveryCount(), batch.staging()));
            }
        }
        advance();
    }

    /** The first offset that is not done with. */
    long start() {
        return start;
    }

    /** The first offset that nobody has seen. */
    long end() {
        return end;
    }

    int size() {
        return offsets.size();
    }

    NavigableMap<Long, InFlight> offsets() {
        return offsets;
    }

    @Nullable
    InFlight get(long offset) {
        return offsets.get(offset);
    }

    /** {@return the first offset that can be acquired; it may be the one behind the window} */
    long nextAvailable() {
        for (Map.Entry<Long, InFlight> entry : offsets.entrySet()) {
            if (entry.getValue().isAvailable()) {
                return entry.getKey();
            }
        }
        return end;
    }

    long nextAcquisition() {
        return ++acquisitions;
    }

    /** {@return how many offsets there were in an acquisition, those that are passed over already among them} */
    int sizeOf(long acquisition) {
        return sizes.getOrDefault(acquisition, 0);
    }

    /** Adds the offset at the end. */
    void add(InFlight entry) {
        offsets.put(end++, entry);
        sizes.merge(entry.acquisition(), 1, Integer::sum);
    }

    /** Adds offsets up to one, exclusively. */
    void fillTo(long offset, RecordState state) {
        long acquisition = nextAcquisition();
        while (end < offset) {
            add(new InFlight(acquisition, state, 0, null));
        }
    }

    /** The log begins later now: what can not be read any more is not delivered any more. */
    void begin(long logStart) {
        if (logStart <= start) {
            return;
        }
        offsets.headMap(logStart).values().stream()
                .filter(InFlight::isAvailable)
                .forEach(entry -> entry.become(RecordState.ARCHIVED));
        advance();
        if (offsets.isEmpty() && start < logStart) {
            start = logStart;
            end = logStart;
        } else {
            fillTo(logStart, RecordState.ARCHIVED);
        }
    }

    /** Passes over what is done with at the beginning. */
    void advance() {
        Map.Entry<Long, InFlight> head = offsets.firstEntry();
        while (head != null
                && head.getValue().state().isFinal()
                && !head.getValue().isChanging()) {
            offsets.pollFirstEntry();
            start = head.getKey() + 1;
            long passed = head.getValue().acquisition();
            head = offsets.firstEntry();
            if (head == null || head.getValue().acquisition() != passed) {
                sizes.remove(passed);
            }
        }
    }

    /**
     * The state to be kept, as it will be once the changes are made. But the start is kept as it is now, as with Apache
     * Kafka: it moves when the changes have been kept, and the next change says so.
     */
    StateChange withChanges(int stateEpoch, int leaderEpoch, Map<Long, StateBatch> changes) {
        int complete = 0;
        for (Map.Entry<Long, InFlight> entry : offsets.entrySet()) {
            StateBatch change = changes.get(entry.getKey());
            boolean isFinal = change == null
                    ? entry.getValue().state().isFinal()
                    : change.state().isFinal();
            complete += isFinal ? 1 : 0;
        }
        return new StateChange(stateEpoch, leaderEpoch, start, complete, joined(changes));
    }

    private static List<StateBatch> joined(Map<Long, StateBatch> changes) {
        List<StateBatch> joined = new ArrayList<>();
        for (StateBatch change : new TreeMap<>(changes).values()) {
            int last = joined.size() - 1;
            if (last >= 0 && change.continues(joined.get(last))) {
                StateBatch before = joined.get(last);
                joined.set(
                        last,
                        new StateBatch(
                                before.first(),
                                change.last(),
                                before.state(),
                                before.deliveryCount(),
                                before.staging()));
            } else {
                joined.add(change);
            }
        }
        return joined;
    }
}
