package io.github.kafkatxn.cluster.internal.share;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The records of {@code __share_group_state}: the key is the share partition; the value begins its state anew or
 * changes it, null deletes it. What is staged in a transaction is in a transactional batch of its producer, and a
 * control batch ends it. The one class that knows their format, which is this cluster's own.
 */
final class ShareStateRecords {
    private ShareStateRecords() {}

    /**
     * A new beginning, or a change.
     *
     * @param initial whether everything before it is forgotten
     * @param stateEpoch the epoch of the beginning
     * @param leaderEpoch of the share partition's leader
     * @param startOffset the first offset that is not done with
     * @param completeCount how many from there on are
     * @param batches what is new
     */
    record Update(
            boolean initial,
            int stateEpoch,
            int leaderEpoch,
            long startOffset,
            int completeCount,
            List<StateBatch> batches) {}

    static SimpleRecord record(SharePartitionKey key, Update update, long now) {
        return new SimpleRecord(now, write(key), write(update));
    }

    static SimpleRecord tombstone(SharePartitionKey key, long now) {
        return new SimpleRecord(now, write(key), null);
    }

    static SharePartitionKey key(Record record) {
        try (DataInputStream in = input(Utils.toArray(record.key()))) {
            return new SharePartitionKey(in.readUTF(), new Uuid(in.readLong(), in.readLong()), in.readInt());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** {@return the change, null if the state is deleted} */
    static @Nullable Update update(Record record) {
        if (!record.hasValue()) {
            return null;
        }
        try (DataInputStream in = input(Utils.toArray(record.value()))) {
            boolean initial = in.readBoolean();
            int stateEpoch = in.readInt();
            int leaderEpoch = in.readInt();
            long startOffset = in.readLong();
            int completeCount = in.readInt();
            List<StateBatch> batches = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                long first = in.readLong();
                long last = in.readLong();
                RecordState state = RecordState.ofId(in.readByte());
                int count = in.readInt();
                byte[] staged = new byte[in.readInt()];
                in.readFully(staged);
                batches.add(new StateBatch(first, last, state, count, staged.length == 0 ? null : Staging.of(staged)));
            }
            return new Update(initial, stateEpoch, leaderEpoch, startOffset, completeCount, batches);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] write(SharePartitionKey key) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(key.group());
            out.writeLong(key.topicId().getMostSignificantBits());
            out.writeLong(key.topicId().getLeastSignificantBits());
            out.writeInt(key.partition());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] write(Update update) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeBoolean(update.initial());
            out.writeInt(update.stateEpoch());
            out.writeInt(update.leaderEpoch());
            out.writeLong(update.startOffset());
            out.writeInt(update.completeCount());
            out.writeInt(update.batches().size());
            for (StateBatch batch : update.batches()) {
                out.writeLong(batch.first());
                out.writeLong(batch.last());
                out.writeByte(batch.state().id());
                out.writeInt(batch.deliveryCount());
                byte[] staged =
                        batch.staging() == null ? new byte[0] : batch.staging().toBytes();
                out.writeInt(staged.length);
                out.write(staged);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static DataInputStream input(byte[] bytes) {
        return new DataInputStream(new ByteArrayInputStream(bytes));
    }
}
