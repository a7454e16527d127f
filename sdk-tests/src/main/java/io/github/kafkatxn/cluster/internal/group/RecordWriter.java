package io.github.kafkatxn.cluster.internal.group;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** Builds a key or a value, one field behind the other. */
final class RecordWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    RecordWriter number(long value) {
        out.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
        return this;
    }

    RecordWriter id(Uuid value) {
        return number(value.getMostSignificantBits()).number(value.getLeastSignificantBits());
    }

    RecordWriter data(byte[] value) {
        number(value.length);
        out.writeBytes(value);
        return this;
    }

    RecordWriter text(String value) {
        return data(value.getBytes(StandardCharsets.UTF_8));
    }

    RecordWriter maybeText(@Nullable String value) {
        return value == null ? number(-1) : text(value);
    }

    byte[] bytes() {
        return out.toByteArray();
    }
}
