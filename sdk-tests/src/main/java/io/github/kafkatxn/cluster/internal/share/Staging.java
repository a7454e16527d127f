package io.github.kafkatxn.cluster.internal.share;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.protocol.ByteBufferAccessor;

/**
 * An acknowledgement that waits for the end of a transaction.
 *
 * @param type how the record was acknowledged
 * @param target where it goes with a commit
 * @param producerId whose transaction
 * @param producerEpoch the epoch of the transaction
 * @param memberId who has the record
 * @param lockLeftMs how long its lock goes on with an abort: meanwhile it stands still
 */
public record Staging(
        byte type, RecordState target, long producerId, short producerEpoch, String memberId, long lockLeftMs) {

    /** {@return whether a marker ends its transaction} */
    boolean isEndedBy(Marker marker) {
        return producerId == marker.producerId()
                && (marker.strict() ? producerEpoch < marker.producerEpoch() : producerEpoch <= marker.producerEpoch());
    }

    byte[] toBytes() {
        byte[] member = memberId.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(1 + 1 + Long.BYTES + Short.BYTES + Long.BYTES + member.length);
        bytes.put(type)
                .put(target.id())
                .putLong(producerId)
                .putShort(producerEpoch)
                .putLong(lockLeftMs);
        return bytes.put(member).array();
    }

    static Staging of(byte[] bytes) {
        ByteBufferAccessor in = new ByteBufferAccessor(ByteBuffer.wrap(bytes));
        byte type = in.readByte();
        RecordState target = RecordState.ofId(in.readByte());
        long producerId = in.readLong();
        short producerEpoch = in.readShort();
        long lockLeftMs = in.readLong();
        return new Staging(type, target, producerId, producerEpoch, in.readString(in.remaining()), lockLeftMs);
    }
}
