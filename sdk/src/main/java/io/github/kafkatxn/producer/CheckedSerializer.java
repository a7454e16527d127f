package io.github.kafkatxn.producer;

import java.util.Map;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * The user's serializer, and a check that it did not turn a value into a tombstone: a {@code null} for something that
 * is not {@code null} would be sent and committed as a delete.
 *
 * <p>{@link RawBytes} pass through as they are, so that a record that nobody could read can be dead-lettered by the
 * same producer, in the same transaction.
 */
final class CheckedSerializer<T> implements Serializer<T> {
    private final Serializer<? super T> delegate;
    private final boolean key;

    CheckedSerializer(Serializer<? super T> delegate, boolean key) {
        this.delegate = delegate;
        this.key = key;
    }

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        delegate.configure(configs, isKey);
    }

    @Override
    public byte @Nullable [] serialize(String topic, @Nullable T data) {
        if (data instanceof RawBytes raw) {
            return raw.bytes();
        }
        return checked(topic, data, delegate.serialize(topic, data));
    }

    @Override
    public byte @Nullable [] serialize(String topic, Headers headers, @Nullable T data) {
        if (data instanceof RawBytes raw) {
            return raw.bytes();
        }
        return checked(topic, data, delegate.serialize(topic, headers, data));
    }

    @Override
    public void close() {
        delegate.close();
    }

    private byte @Nullable [] checked(String topic, @Nullable T data, byte @Nullable [] bytes) {
        if (bytes == null && data != null) {
            throw new SerializationException(delegate.getClass().getName() + " returned null for a "
                    + (key ? "key" : "value") + " of " + data.getClass().getName() + " for topic " + topic
                    + "; null would be written as a tombstone");
        }
        return bytes;
    }
}
