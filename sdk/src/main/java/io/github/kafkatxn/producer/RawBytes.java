package io.github.kafkatxn.producer;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Bytes in the place of a key or value, which a {@link TransactionalProducer} writes as they are instead of giving them
 * to its serializer. For dead letters: the record went wrong, so its own bytes are what has to be kept. Interceptors
 * and a custom partitioner see this object in the place of the key and value.
 */
public final class RawBytes {
    private final byte @Nullable [] bytes;

    private RawBytes(byte @Nullable [] bytes) {
        this.bytes = bytes;
    }

    byte @Nullable [] bytes() {
        return bytes;
    }

    /**
     * A record with given bytes for a producer of any types.
     *
     * @param topic where to
     * @param key the key's bytes, or null
     * @param value the value's bytes, or null
     * @param headers the headers
     * @param <K> the producer's key type
     * @param <V> the producer's value type
     * @return the record, to be sent with {@link Transaction#send(ProducerRecord)}, and nowhere else
     */
    @SuppressWarnings("unchecked") // The only reader is CheckedSerializer, which asks for RawBytes first.
    public static <K, V> ProducerRecord<K, V> record(
            String topic, byte @Nullable [] key, byte @Nullable [] value, Iterable<Header> headers) {
        return new ProducerRecord<>(topic, null, null, (K) new RawBytes(key), (V) new RawBytes(value), headers);
    }

    /** {@return how many bytes, for logs} */
    @Override
    public String toString() {
        return bytes == null ? "null" : bytes.length + " bytes";
    }
}
