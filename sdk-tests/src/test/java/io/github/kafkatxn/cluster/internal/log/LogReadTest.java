package io.github.kafkatxn.cluster.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;

/** Reading: limits, segments, timestamps, leader epochs, and a log whose beginning is gone. */
class LogReadTest {
    private final TestPartition partition = new TestPartition();

    @Test
    void aLimitCutsOffTheLastBatchButNotTheFirst() {
        append(1, 100);
        append(2, 100);
        int size = partition.log.read(0, 1, false, true).sizeInBytes();
        assertThat(offsets(partition.log.read(0, 1, false, true))).containsExactly(0L);
        assertThat(partition.log.read(0, size - 1, false, false).sizeInBytes()).isZero();
        LogSlice cut = partition.log.read(0, size + 10, false, false);
        assertThat(cut.sizeInBytes()).isEqualTo(size + 10);
        assertThat(offsets(cut)).containsExactly(0L);
        assertThat(cut.nextOffset()).isEqualTo(2);
        assertThat(partition.log.read(2, size, false, true).sizeInBytes()).isZero();
    }

    @Test
    void anOffsetInTheMiddleOfABatchGivesTheWholeBatch() {
        partition.produce(batch(0, 10, 1, 3), false);
        assertThat(offsets(partition.log.read(1, 1, false, true))).containsExactly(0L);
        assertThat(partition.log.endOffset()).isEqualTo(3);
    }

    @Test
    void everyOffsetIsFoundInManySegments() {
        int batches = 3_000;
        for (int i = 0; i < batches; i++) {
            append(i, 1_000);
        }
        for (long from = 0; from < batches; from++) {
            LogSlice slice = partition.log.read(from, 1, false, true);
            assertThat(offsets(slice)).containsExactly(from);
        }
        long from = 0;
        while (from < batches) {
            LogSlice slice = partition.log.read(from, 10_000_000, false, true);
            assertThat(slice.records().batches().iterator().next().baseOffset()).isEqualTo(from);
            assertThat(slice.more()).isEqualTo(slice.nextOffset() < batches);
            from = slice.nextOffset();
        }
        List<Long> all = new ArrayList<>();
        partition.log.batches().forEach(batch -> all.add(batch.baseOffset()));
        assertThat(all).hasSize(batches).isSorted();
    }

    @Test
    void aFullSegmentLeavesRoomForTheHeaderOfItsArrayInAMebibyte() {
        int mebibyte = 1024 * 1024;
        int batchBytes = 8 * 1024;
        int overhead = batch(0, 8_000, 1, 1).sizeInBytes() - 8_000;
        for (int bytes = 0; bytes < 4 * mebibyte; bytes += batchBytes) {
            partition.led.append(batch(0, batchBytes - overhead, 1, 1));
        }
        long from = 0;
        while (from < partition.log.endOffset()) {
            LogSlice slice = partition.log.read(from, 2 * mebibyte, false, true);
            assertThat(slice.sizeInBytes()).isLessThan(mebibyte);
            from = slice.nextOffset();
        }
    }

    @Test
    void aBatchThatIsLargerThanASegment() {
        append(1, 100);
        partition.led.append(batch(0, 2_000_000, 1, 1));
        append(1, 100);
        assertThat(partition.log.read(1, 1, false, true).sizeInBytes()).isGreaterThan(2_000_000);
        assertThat(offsets(partition.log.read(2, 1, false, true))).containsExactly(2L);
    }

    @Test
    void whatWasReadStaysAsItWas() {
        append(5, 100);
        LogSlice slice = partition.log.read(0, 1_000, false, true);
        append(6, 100);
        partition.led.deleteBefore(2);
        assertThat(offsets(slice)).containsExactly(0L);
        assertThat(slice.records().batches().iterator().next().isValid()).isTrue();
    }

    @Test
    void timestamps() {
        append(10, 10);
        append(30, 10);
        append(20, 10);
        append(30, 10);
        assertThat(partition.log.firstWithTimestamp(0)).contains(new FoundOffset(0, 10, 3));
        assertThat(partition.log.firstWithTimestamp(11)).contains(new FoundOffset(1, 30, 3));
        assertThat(partition.log.firstWithTimestamp(30)).contains(new FoundOffset(1, 30, 3));
        assertThat(partition.log.firstWithTimestamp(31)).isEmpty();
        assertThat(partition.log.latestTimestamp()).contains(new FoundOffset(1, 30, 3));
        partition.led.deleteBefore(2);
        assertThat(partition.log.firstWithTimestamp(0)).contains(new FoundOffset(2, 20, 3));
        assertThat(partition.log.latestTimestamp()).contains(new FoundOffset(3, 30, 3));
    }

    @Test
    void leaderEpochs() {
        assertThat(partition.log.endOf(3)).isEqualTo(new EpochEnd(3, 0));
        append(1, 10);
        partition.lead(5);
        partition.lead(6);
        append(1, 10);
        append(1, 10);
        assertThat(partition.log.endOf(2)).isEqualTo(new EpochEnd(2, 0));
        assertThat(partition.log.endOf(3)).isEqualTo(new EpochEnd(3, 1));
        assertThat(partition.log.endOf(5)).as("nothing was written in 5").isEqualTo(new EpochEnd(3, 1));
        assertThat(partition.log.endOf(6)).isEqualTo(new EpochEnd(6, 3));
        assertThat(partition.log.endOf(7)).isEqualTo(new EpochEnd(-1, -1));
        assertThat(partition.log.endOf(-1)).isEqualTo(new EpochEnd(-1, -1));
        assertThat(partition.log.firstLeaderEpoch()).contains(3);
        partition.led.deleteBefore(2);
        assertThat(partition.log.firstLeaderEpoch()).contains(6);
        assertThat(partition.log.endOf(3)).isEqualTo(new EpochEnd(3, 2));
        List<Integer> epochs = new ArrayList<>();
        partition.log.batches().forEach(batch -> epochs.add(batch.partitionLeaderEpoch()));
        assertThat(epochs).containsExactly(6);
    }

    @Test
    void allDeletedAndThenMore() {
        append(1, 10);
        append(1, 10);
        partition.led.deleteBefore(2);
        assertThat(partition.log.startOffset()).isEqualTo(2);
        assertThat(partition.log.read(2, 100, false, true).sizeInBytes()).isZero();
        assertThat(partition.log.latestTimestamp()).isEmpty();
        append(7, 10);
        assertThat(offsets(partition.log.read(2, 100, false, true))).containsExactly(2L);
    }

    @Test
    void whoWatchesIsToldOfAppendsMarkersAndTheEnd() {
        AtomicInteger told = new AtomicInteger();
        Runnable watcher = told::incrementAndGet;
        partition.led.watch(watcher);
        append(1, 10);
        partition.marker(1, 0, true, 2);
        assertThat(told).hasValue(2);
        partition.marker(1, -5, true, 2);
        assertThat(told).as("a refused marker is nothing new").hasValue(2);
        LedPartitions all = new LedPartitions();
        all.add(partition.led);
        all.remove(partition.led.id().topicPartition());
        assertThat(told).hasValue(3);
        partition.led.unwatch(watcher);
        append(1, 10);
        assertThat(told).hasValue(3);
    }

    private void append(long timestamp, int valueBytes) {
        partition.led.append(batch(timestamp, valueBytes, 1, 1));
    }

    static MemoryRecords batch(long timestamp, int valueBytes, int every, int records) {
        SimpleRecord[] all = new SimpleRecord[records];
        for (int i = 0; i < records; i++) {
            all[i] = new SimpleRecord(timestamp + (long) i * every, new byte[valueBytes]);
        }
        return MemoryRecords.withRecords(
                RecordBatch.MAGIC_VALUE_V2, 0, Compression.NONE, TimestampType.CREATE_TIME, all);
    }

    private static List<Long> offsets(LogSlice slice) {
        List<Long> offsets = new ArrayList<>();
        slice.records().batches().forEach(batch -> offsets.add(batch.baseOffset()));
        return offsets;
    }
}
