package io.github.kafkatxn.processor;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/**
 * Deserializes in the lane instead of in the consumer: a record nobody can read is then one record that fails, with its
 * bytes at hand, and not a poll that fails for ever.
 */
final class RecordReader<K, V> implements AutoCloseable {
    private final Deserializer<? extends K> key;
    private final Deserializer<? extends V> value;

    RecordReader(
            Supplier<? extends Deserializer<? extends K>> key,
            Supplier<? extends Deserializer<? extends V>> value,
            Map<String, Object> properties) {
        this.key = key.get();
        this.value = value.get();
        this.key.configure(properties, true);
        this.value.configure(properties, false);
    }

    // The two fields may be null where the record has none, which ConsumerRecord's signature does not say.
    @SuppressWarnings("NullAway")
    ConsumerRecord<K, V> read(ConsumerRecord<byte[], byte[]> raw) {
        Headers headers = raw.headers();
        return new ConsumerRecord<>(
                raw.topic(),
                raw.partition(),
                raw.offset(),
                raw.timestamp(),
                raw.timestampType(),
                raw.serializedKeySize(),
                raw.serializedValueSize(),
                read(key, raw.topic(), headers, raw.key()),
                read(value, raw.topic(), headers, raw.value()),
                headers,
                raw.leaderEpoch());
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
