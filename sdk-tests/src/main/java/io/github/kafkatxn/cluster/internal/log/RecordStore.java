package io.github.kafkatxn.cluster.internal.log;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;

/** The batches of a log. Small logs take little memory, and large ones hardly more than their records. */
final class RecordStore {
    private static final int SMALLEST = 8 * 1024;
    /** With its header not more than a region of a small heap: an array that has a few bytes more takes two. */
    private static final int LARGEST = 1024 * 1024 - 64;

    /** A broker finds where a slice ends in an index with an entry for every so many bytes. */
    private static final int INDEX_INTERVAL = 4096;

    private final List<Segment> segments = new ArrayList<>();
    private long endOffset;

    long endOffset() {
        return endOffset;
    }

    /**
     * Takes a copy of a batch.
     *
     * @return the copy; its first offset is what {@link #endOffset()} was
     */
    RecordBatch add(MutableRecordBatch batch, LeaderFields fields) {
        Segment last = segments.isEmpty() ? null : segments.get(segments.size() - 1);
        if (last == null || !last.hasRoom(batch.sizeInBytes())) {
            int capacity = last == null ? SMALLEST : Math.min(LARGEST, last.capacity() * 2);
            last = new Segment(endOffset, Math.max(capacity, batch.sizeInBytes()));
            segments.add(last);
        }
        RecordBatch added = last.add(batch, fields);
        endOffset = last.nextOffset();
        return added;
    }

    /**
     * Reads from the batch that holds an offset, up to the end of its segment.
     *
     * @param from an offset that is not lower than the first one kept
     * @param maxBytes how much, at most
     * @param before the offset to stop at: its batch is not read
     * @param wholeBatch whether the first batch is read even if it is larger
     */
    LogSlice read(long from, int maxBytes, long before, boolean wholeBatch) {
        if (from >= before) {
            return LogSlice.empty(from);
        }
        Segment segment = segments.get(indexOf(from));
        int first = segment.find(from);
        int start = segment.position(first);
        int limit = before < segment.nextOffset() ? segment.position(segment.find(before)) : segment.end();
        int size = Math.max(maxBytes, wholeBatch ? segment.sizeInBytes(first) : 0);
        if (limit <= start || size < segment.sizeInBytes(first)) {
            return LogSlice.empty(from);
        }
        int end = (int) Math.min(limit, (long) start + size);
        return new LogSlice(
                segment.slice(start, end),
                segment.offsetFrom(end),
                segment.offsetFrom(end + INDEX_INTERVAL),
                before > segment.nextOffset());
    }

    /** The first batch in which there is a record with this timestamp or a later one. */
    Optional<MutableRecordBatch> firstWithTimestamp(long from, long timestamp) {
        return firstBatch(from, segment -> segment.maxTimestamp() >= timestamp, timestamp);
    }

    /** The first of the batches that have the latest timestamp. */
    Optional<MutableRecordBatch> withLatestTimestamp(long from) {
        long latest = segments.stream().mapToLong(Segment::maxTimestamp).max().orElse(Long.MIN_VALUE);
        return firstBatch(from, segment -> segment.maxTimestamp() == latest, latest);
    }

    /** Forgets whole segments before an offset. */
    void dropBefore(long offset) {
        segments.removeIf(segment -> segment.nextOffset() <= offset);
    }

    /** Everything from an offset on. */
    Iterator<RecordBatch> iterator(long from) {
        return new Iterator<>() {
            private long next = from;

            @Override
            public boolean hasNext() {
                return next < endOffset;
            }

            @Override
            public RecordBatch next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                Segment segment = segments.get(indexOf(next));
                RecordBatch batch = segment.batch(segment.find(next));
                next = batch.nextOffset();
                return batch;
            }
        };
    }

    private Optional<MutableRecordBatch> firstBatch(long from, Predicate<Segment> worthIt, long timestamp) {
        for (Segment segment : segments) {
            if (segment.nextOffset() <= from || !worthIt.test(segment)) {
                continue;
            }
            for (int i = segment.find(from); i < segment.batches(); i++) {
                if (segment.maxTimestamp(i) >= timestamp) {
                    return Optional.of(segment.batch(i));
                }
            }
        }
        return Optional.empty();
    }

    private int indexOf(long offset) {
        int low = 0;
        int high = segments.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (segments.get(middle).baseOffset() <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
