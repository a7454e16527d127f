package io.github.kafkatxn.cluster.internal.share;

import io.github.kafkatxn.cluster.internal.share.ShareStateShard.Stored;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.common.message.ReadShareGroupStateResponseData;
import org.apache.kafka.common.message.WriteShareGroupStateRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.types.RawTaggedField;

/**
 * What KIP-1289 needs between nodes, and Kafka's messages have no field for: tagged fields, which whoever does not know
 * them passes over. They are in WriteShareGroupState (whose transaction; what is staged), ReadShareGroupState (what is
 * staged) and WriteTxnMarkers (a marker that a state partition has, handed on to the leaders of share partitions).
 */
public final class Extensions {
    private static final int PRODUCER = 12890;
    private static final int STAGING = 12891;
    private static final int STATE_PARTITION = 12892;

    private Extensions() {}

    static void setProducer(WriteShareGroupStateRequestData request, Producer producer) {
        byte[] transactionalId = producer.transactionalId().getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES + Short.BYTES + transactionalId.length);
        bytes.putLong(producer.id()).putShort(producer.epoch()).put(transactionalId);
        set(request, PRODUCER, bytes.array());
    }

    /**
     * The producer in whose transaction something is written.
     *
     * @param request the request
     * @return the producer, empty if it is no part of a transaction
     */
    public static Optional<Producer> producer(WriteShareGroupStateRequestData request) {
        return find(request, PRODUCER).map(data -> {
            ByteBufferAccessor in = new ByteBufferAccessor(ByteBuffer.wrap(data));
            long id = in.readLong();
            short epoch = in.readShort();
            return new Producer(in.readString(in.remaining()), id, epoch);
        });
    }

    static WriteShareGroupStateRequestData.StateBatch toWrite(StateBatch batch) {
        WriteShareGroupStateRequestData.StateBatch written = new WriteShareGroupStateRequestData.StateBatch()
                .setFirstOffset(batch.first())
                .setLastOffset(batch.last())
                .setDeliveryState(batch.state().id())
                .setDeliveryCount((short) batch.deliveryCount());
        if (batch.staging() != null) {
            set(written, STAGING, batch.staging().toBytes());
        }
        return written;
    }

    /**
     * The change that a leader writes.
     *
     * @param data of one share partition
     * @return the change
     */
    public static StateChange change(WriteShareGroupStateRequestData.PartitionData data) {
        List<StateBatch> batches = data.stateBatches().stream()
                .map(batch -> new StateBatch(
                        batch.firstOffset(),
                        batch.lastOffset(),
                        RecordState.ofId(batch.deliveryState()),
                        batch.deliveryCount(),
                        find(batch, STAGING).map(Staging::of).orElse(null)))
                .toList();
        return new StateChange(
                data.stateEpoch(), data.leaderEpoch(), data.startOffset(), data.deliveryCompleteCount(), batches);
    }

    /**
     * What is stored of a share partition, to be answered.
     *
     * @param stored what is stored
     * @param partition its number
     * @return the answer
     */
    public static ReadShareGroupStateResponseData.PartitionResult toRead(Stored stored, int partition) {
        List<ReadShareGroupStateResponseData.StateBatch> batches =
                stored.batches().stream().map(Extensions::toRead).toList();
        return new ReadShareGroupStateResponseData.PartitionResult()
                .setPartition(partition)
                .setStateEpoch(stored.stateEpoch())
                .setStartOffset(stored.startOffset())
                .setStateBatches(batches);
    }

    private static ReadShareGroupStateResponseData.StateBatch toRead(StateBatch batch) {
        ReadShareGroupStateResponseData.StateBatch read = new ReadShareGroupStateResponseData.StateBatch()
                .setFirstOffset(batch.first())
                .setLastOffset(batch.last())
                .setDeliveryState(batch.state().id())
                .setDeliveryCount((short) batch.deliveryCount());
        if (batch.staging() != null) {
            set(read, STAGING, batch.staging().toBytes());
        }
        return read;
    }

    static Stored stored(ReadShareGroupStateResponseData.PartitionResult result, int leaderEpoch) {
        List<StateBatch> batches = result.stateBatches().stream()
                .map(batch -> new StateBatch(
                        batch.firstOffset(),
                        batch.lastOffset(),
                        RecordState.ofId(batch.deliveryState()),
                        batch.deliveryCount(),
                        find(batch, STAGING).map(Staging::of).orElse(null)))
                .toList();
        return new Stored(result.stateEpoch(), leaderEpoch, result.startOffset(), 0, batches);
    }

    static void setStatePartition(WritableTxnMarker marker, int partition) {
        set(
                marker,
                STATE_PARTITION,
                ByteBuffer.allocate(Integer.BYTES).putInt(partition).array());
    }

    /**
     * The state partition that has handed a marker on: its partitions are those of share partitions, and their logs do
     * not get it.
     *
     * @param marker the marker
     * @return the number of the state partition, empty for a marker of a transaction coordinator
     */
    public static OptionalInt statePartition(WritableTxnMarker marker) {
        Optional<byte[]> data = find(marker, STATE_PARTITION);
        return data.isPresent() ? OptionalInt.of(ByteBuffer.wrap(data.get()).getInt()) : OptionalInt.empty();
    }

    private static void set(Message message, int tag, byte[] data) {
        message.unknownTaggedFields().add(new RawTaggedField(tag, data));
    }

    private static Optional<byte[]> find(Message message, int tag) {
        return message.unknownTaggedFields().stream()
                .filter(field -> field.tag() == tag)
                .map(RawTaggedField::data)
                .findFirst();
    }
}
