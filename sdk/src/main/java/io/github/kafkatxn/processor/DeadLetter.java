package io.github.kafkatxn.processor;

import io.github.kafkatxn.producer.RawBytes;
import io.github.kafkatxn.result.TxnError;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * A record as a dead letter: its own key, value and headers, and where it came from and why in headers that begin with
 * {@value #PREFIX}.
 */
final class DeadLetter {
    static final String PREFIX = "kafkatxn.dead-letter.";
    private static final int LONGEST_TEXT = 2_000;

    private DeadLetter() {}

    static <K, V> ProducerRecord<K, V> of(
            String topic, String groupId, ConsumerRecord<byte[], byte[]> record, TxnError error, int attempts) {
        Headers headers = new RecordHeaders(record.headers().toArray());
        add(headers, "topic", record.topic());
        add(headers, "partition", Integer.toString(record.partition()));
        add(headers, "offset", Long.toString(record.offset()));
        add(headers, "timestamp", Long.toString(record.timestamp()));
        add(headers, "group", groupId);
        add(headers, "attempts", Integer.toString(attempts));
        add(headers, "exception", error.cause().getClass().getName());
        add(headers, "message", String.valueOf(error.cause().getMessage()));
        return RawBytes.record(topic, record.key(), record.value(), headers);
    }

    private static void add(Headers headers, String name, String text) {
        String shortened = text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) : text;
        headers.add(PREFIX + name, shortened.getBytes(StandardCharsets.UTF_8));
    }
}
