package io.github.kafkatxn.cluster.internal.log;

import org.apache.kafka.common.record.internal.MemoryRecords;

/**
 * What a reader gets of a log.
 *
 * @param records share their bytes with the log; the last batch may be cut off in the middle, as with a broker
 * @param nextOffset the offset before which everything is that the records hold, wholly or in part
 * @param upperBound the same or a later one, as near as a broker finds it in its index
 * @param more whether more could be read than the log gives at once, however much the reader wants
 */
public record LogSlice(MemoryRecords records, long nextOffset, long upperBound, boolean more) {

    static LogSlice empty(long offset) {
        return new LogSlice(MemoryRecords.EMPTY, offset, offset, false);
    }

    /** {@return its size in bytes} */
    public int sizeInBytes() {
        return records.sizeInBytes();
    }
}
