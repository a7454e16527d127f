package io.github.kafkatxn.processor;

import io.github.kafkatxn.result.TxnException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of one input record, part of the open transaction.
 *
 * @param <K> key type
 * @param <V> value type
 */
public interface Outputs<K, V> {

    /**
     * Sends a record in the transaction of the input record. Does not wait for delivery; waits at most
     * {@code max.block.ms} for metadata and for room.
     *
     * @param record the output
     * @throws TxnException if it is refused; the transaction is aborted then, also if this is caught
     * @throws IllegalStateException after the transform has returned, or on another thread
     */
    void send(ProducerRecord<K, V> record);

    /**
     * Short for a record with a topic, a key and a value.
     *
     * @param topic where to
     * @param key its key, or null
     * @param value its value, or null for a tombstone
     * @throws TxnException as for {@link #send(ProducerRecord)}
     * @throws IllegalStateException as for {@link #send(ProducerRecord)}
     */
    default void send(String topic, @Nullable K key, @Nullable V value) {
        send(new ProducerRecord<>(topic, key, value));
    }
}
