package io.github.kafkatxn.processor;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Deserializes in the lane instead of in the consumer: a record nobody can read is then one record that fails, with its
 * bytes at hand, and not a poll that fails for ever.
 */
final class RecordReader<K, V> implements AutoCloseable {
    private final Deserializer<? extends K> key;
    private final Deserializer<? extends V> value;

    /** The bytes are what is wanted: the record as it was polled will do. */
    private final boolean raw;

    private RecordReader(Deserializer<? extends K> key, Deserializer<? extends V> value) {
        this.key = key;
        this.value = value;
        this.raw = key.getClass() == ByteArrayDeserializer.class && value.getClass() == ByteArrayDeserializer.class;
    }

    /** A reader with deserializers of its own, which it closes. */
    static <K, V> RecordReader<K, V> of(
            Supplier<? extends Deserializer<? extends K>> keys,
            Supplier<? extends Deserializer<? extends V>> values,
            Map<String, Object> properties) {
        Deserializer<? extends K> key = keys.get();
        Deserializer<? extends V> value = null;
        try {
            key.configure(properties, true);
            value = values.get();
            value.configure(properties, false);
            return new RecordReader<>(key, value);
        } catch (RuntimeException e) {
            Utils.closeQuietly(key, "key deserializer");
            Utils.closeQuietly(value, "value deserializer");
            throw e;
        }
    }

    // The two fields may be null where the record has none, which ConsumerRecord's signature does not say.
    @SuppressWarnings({"NullAway", "unchecked"})
    ConsumerRecord<K, V> read(ConsumerRecord<byte[], byte[]> record) {
        if (raw) {
            return (ConsumerRecord<K, V>) record;
        }
        Headers headers = record.headers();
        return new ConsumerRecord<>(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.timestampType(),
                record.serializedKeySize(),
                record.serializedValueSize(),
                read(key, record.topic(), headers, record.key()),
                read(value, record.topic(), headers, record.value()),
                headers,
                record.leaderEpoch(),
                record.deliveryCount());
    }

    @Override
    public void close() {
        try (key;
                value) {
            // Both are closed, also if the first one throws.
        }
    }

    private static <T> @Nullable T read(
            Deserializer<? extends T> deserializer, String topic, Headers headers, byte @Nullable [] bytes) {
        return bytes == null ? null : deserializer.deserialize(topic, headers, bytes);
    }
}
