package io.github.kafkatxn.cluster.internal.log;

import static io.github.kafkatxn.cluster.internal.log.ProducerRulesTest.assertRefused;
import static io.github.kafkatxn.cluster.internal.log.TestPartition.RULES;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.EndTransactionMarker;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is looked at in a batch of a client before it gets its offsets. */
class ClientBatchTest {
    private static final AppendRules APPEND_TIME =
            new AppendRules(1_000_000, TimestampType.LOG_APPEND_TIME, Long.MAX_VALUE, 3_600_000, false, true);

    private final TestPartition partition = new TestPartition();

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void compressedBatchesAreKeptAsTheyAre(CompressionType type) {
        Compression compression = Compression.of(type).build();
        append(records(compression, 5, "a", "b", "c"), RULES);
        append(records(compression, 5, "d", "e"), RULES);
        List<String> read = new ArrayList<>();
        for (RecordBatch batch : partition.log.batches()) {
            assertThat(batch.isValid()).isTrue();
            assertThat(batch.compressionType()).isEqualTo(type);
            for (Record next : batch) {
                read.add(next.offset() + new String(bytes(next.value()), UTF_8));
            }
        }
        assertThat(read).containsExactly("0a", "1b", "2c", "3d", "4e");
    }

    @Test
    void timestampsOfTheBroker() {
        partition.now.set(77);
        Appended appended = append(records(Compression.gzip().build(), 5, "a", "b"), APPEND_TIME);
        assertThat(appended.logAppendTime()).isEqualTo(77);
        RecordBatch batch = partition.log.batches().iterator().next();
        assertThat(batch.isValid()).isTrue();
        assertThat(batch.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
        assertThat(batch).extracting(Record::timestamp).containsOnly(77L);
        assertThat(append(records(Compression.NONE, 5, "c"), RULES).logAppendTime())
                .isEqualTo(-1);
    }

    @Test
    void aBrokenChecksum() {
        MemoryRecords records = records(Compression.NONE, 5, "abc");
        ByteBuffer bytes = records.buffer();
        bytes.put(bytes.limit() - 2, (byte) (bytes.get(bytes.limit() - 2) + 1));
        assertRefused(Errors.CORRUPT_MESSAGE, append(records, RULES));
    }

    @Test
    void aBatchThatIsTooLarge() {
        MemoryRecords records = records(Compression.NONE, 5, "abc");
        AppendRules small =
                new AppendRules(records.sizeInBytes() - 1, TimestampType.CREATE_TIME, Long.MAX_VALUE, 0, false, true);
        assertRefused(Errors.MESSAGE_TOO_LARGE, append(records, small));
    }

    @Test
    void whatClientsMayNotSend() {
        assertRefused(Errors.INVALID_RECORD, append(MemoryRecords.EMPTY, RULES));
        assertRefused(
                Errors.INVALID_RECORD,
                append(
                        MemoryRecords.withRecords(
                                RecordBatch.MAGIC_VALUE_V1, Compression.NONE, new SimpleRecord(new byte[1])),
                        RULES));
        assertRefused(
                Errors.INVALID_RECORD,
                append(MemoryRecords.withRecords(7L, Compression.NONE, new SimpleRecord(new byte[1])), RULES));
        assertRefused(
                Errors.INVALID_RECORD,
                append(
                        MemoryRecords.withEndTransactionMarker(
                                1, (short) 1, new EndTransactionMarker(ControlRecordType.COMMIT, 0)),
                        RULES));
        MemoryRecords one = records(Compression.NONE, 5, "a");
        ByteBuffer two = ByteBuffer.allocate(one.sizeInBytes() * 2);
        two.put(one.buffer().duplicate()).put(one.buffer().duplicate()).flip();
        assertRefused(Errors.INVALID_RECORD, append(MemoryRecords.readableRecords(two), RULES));
        assertThat(partition.log.endOffset()).isZero();
    }

    @Test
    void recordsWithoutKeysInACompactedTopicAreNamed() {
        AppendRules compacted =
                new AppendRules(1_000_000, TimestampType.CREATE_TIME, Long.MAX_VALUE, Long.MAX_VALUE, true, true);
        MemoryRecords records = MemoryRecords.withRecords(
                Compression.NONE,
                new SimpleRecord(1, "k".getBytes(UTF_8), "v".getBytes(UTF_8)),
                new SimpleRecord(1, null, "v".getBytes(UTF_8)));
        Appended appended = append(records, compacted);
        assertRefused(Errors.INVALID_RECORD, appended);
        assertThat(appended.recordErrors()).containsOnlyKeys(1);
    }

    @Test
    void timestampsTooFarInTheFuture() {
        partition.now.set(1_000);
        Appended appended = append(records(Compression.NONE, 3_601_001, "a"), RULES);
        assertRefused(Errors.INVALID_TIMESTAMP, appended);
        assertThat(appended.recordErrors()).containsOnlyKeys(0);
        assertThat(append(records(Compression.NONE, 3_601_000, "a"), RULES).error())
                .isEqualTo(Errors.NONE);
    }

    private Appended append(MemoryRecords records, AppendRules rules) {
        return partition.led.append(records, rules, VerificationGuard.NONE);
    }

    private static MemoryRecords records(Compression compression, long timestamp, String... values) {
        SimpleRecord[] all = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) {
            all[i] = new SimpleRecord(timestamp, values[i].getBytes(UTF_8));
        }
        return MemoryRecords.withRecords(compression, all);
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
