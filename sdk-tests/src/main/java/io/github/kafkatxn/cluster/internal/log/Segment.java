package io.github.kafkatxn.cluster.internal.log;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * A piece of a log: batches one behind the other in one buffer. Readers get slices of it, which stay right because what
 * is written is never changed. Fields of batches are read where format version 2 has them.
 */
final class Segment {
    private static final int LENGTH_AT = 8;
    private static final int LOG_OVERHEAD = 12;
    private static final int LAST_OFFSET_DELTA_AT = 23;
    private static final int MAX_TIMESTAMP_AT = 35;

    private final long baseOffset;
    private final ByteBuffer buffer;
    private int[] positions = new int[4];
    private int count;
    private long nextOffset;
    private long maxTimestamp = Long.MIN_VALUE;

    Segment(long baseOffset, int capacity) {
        this.baseOffset = baseOffset;
        this.nextOffset = baseOffset;
        this.buffer = ByteBuffer.allocate(capacity);
    }

    long baseOffset() {
        return baseOffset;
    }

    long nextOffset() {
        return nextOffset;
    }

    long maxTimestamp() {
        return maxTimestamp;
    }

    int capacity() {
        return buffer.capacity();
    }

    int batches() {
        return count;
    }

    /** The position behind the last batch. */
    int end() {
        return buffer.position();
    }

    boolean hasRoom(int bytes) {
        return buffer.remaining() >= bytes;
    }

    /**
     * Takes a copy of a batch, which follows the last one.
     *
     * @return the copy, with its offsets and what its leader writes into it
     */
    RecordBatch add(MutableRecordBatch batch, LeaderFields fields) {
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, count * 2);
        }
        int at = buffer.position();
        batch.writeTo(buffer);
        positions[count++] = at;
        MutableRecordBatch added = batch(count - 1);
        added.setLastOffset(nextOffset + buffer.getInt(at + LAST_OFFSET_DELTA_AT));
        added.setPartitionLeaderEpoch(fields.leaderEpoch());
        added.setMaxTimestamp(fields.timestampType(), fields.maxTimestamp());
        nextOffset = added.nextOffset();
        maxTimestamp = Math.max(maxTimestamp, added.maxTimestamp());
        return added;
    }

    /** The batch that holds an offset of this segment. */
    int find(long offset) {
        int low = 0;
        int high = count - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (baseOffset(middle) <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** The offset of the first batch that begins at a position or behind it, else the end. */
    long offsetFrom(int position) {
        int found = Arrays.binarySearch(positions, 0, count, position);
        int next = found >= 0 ? found : -found - 1;
        return next < count ? baseOffset(next) : nextOffset();
    }

    int position(int batch) {
        return positions[batch];
    }

    int sizeInBytes(int batch) {
        return LOG_OVERHEAD + buffer.getInt(positions[batch] + LENGTH_AT);
    }

    long baseOffset(int batch) {
        return buffer.getLong(positions[batch]);
    }

    long maxTimestamp(int batch) {
        return buffer.getLong(positions[batch] + MAX_TIMESTAMP_AT);
    }

    MemoryRecords slice(int from, int to) {
        return MemoryRecords.readableRecords(buffer.slice(from, to - from));
    }

    MutableRecordBatch batch(int batch) {
        int at = positions[batch];
        return slice(at, at + sizeInBytes(batch)).batchIterator().next();
    }
}
