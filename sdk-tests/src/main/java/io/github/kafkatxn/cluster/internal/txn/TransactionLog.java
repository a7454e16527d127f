package io.github.kafkatxn.cluster.internal.txn;

import io.github.kafkatxn.cluster.internal.log.PartitionLog;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Utils;

/**
 * The records of {@code __transaction_state}: the key is the transactional id, the value all that is known of it, null
 * once it has expired. The one class that knows their format, which is this cluster's own.
 */
final class TransactionLog {
    private TransactionLog() {}

    static MemoryRecords record(TransactionMetadata metadata, long now) {
        return MemoryRecords.withRecords(
                Compression.NONE, new SimpleRecord(now, key(metadata.transactionalId()), value(metadata)));
    }

    static MemoryRecords tombstone(String transactionalId, long now) {
        return MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(now, key(transactionalId), null));
    }

    /** {@return the last state of every id in a log} */
    static Map<String, TransactionMetadata> read(PartitionLog log) {
        Map<String, TransactionMetadata> states = new LinkedHashMap<>();
        for (RecordBatch batch : log.batches()) {
            for (Record record : batch) {
                String id = new String(Utils.toArray(record.key()), StandardCharsets.UTF_8);
                if (record.hasValue()) {
                    states.put(id, metadata(id, record.value()));
                } else {
                    states.remove(id);
                }
            }
        }
        return states;
    }

    private static byte[] key(String transactionalId) {
        return transactionalId.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] value(TransactionMetadata metadata) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(metadata.producerId());
            out.writeLong(metadata.previousProducerId());
            out.writeLong(metadata.nextProducerId());
            out.writeShort(metadata.epoch());
            out.writeShort(metadata.lastEpoch());
            out.writeInt(metadata.timeoutMs());
            out.writeByte(metadata.state().id());
            out.writeLong(metadata.startMs());
            out.writeLong(metadata.updatedMs());
            out.writeByte(metadata.clientVersion());
            out.writeInt(metadata.partitions().size());
            for (TopicPartition partition : metadata.partitions()) {
                out.writeUTF(partition.topic());
                out.writeInt(partition.partition());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static TransactionMetadata metadata(String transactionalId, ByteBuffer value) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(Utils.toArray(value)))) {
            long producerId = in.readLong();
            long previousProducerId = in.readLong();
            long nextProducerId = in.readLong();
            short epoch = in.readShort();
            short lastEpoch = in.readShort();
            int timeoutMs = in.readInt();
            TransactionState state = TransactionState.ofId(in.readByte());
            long startMs = in.readLong();
            long updatedMs = in.readLong();
            byte clientVersion = in.readByte();
            Set<TopicPartition> partitions = new HashSet<>();
            for (int left = in.readInt(); left > 0; left--) {
                partitions.add(new TopicPartition(in.readUTF(), in.readInt()));
            }
            return new TransactionMetadata(
                    transactionalId,
                    producerId,
                    previousProducerId,
                    nextProducerId,
                    epoch,
                    lastEpoch,
                    timeoutMs,
                    state,
                    partitions,
                    startMs,
                    updatedMs,
                    clientVersion);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
