package io.github.kafkatxn.cluster.internal.group;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/** Reads what a {@link RecordWriter} wrote, in the same order. */
final class RecordReader {
    private final ByteBuffer in;

    RecordReader(ByteBuffer in) {
        this.in = in.duplicate();
    }

    long number() {
        return in.getLong();
    }

    int integer() {
        return Math.toIntExact(number());
    }

    Uuid id() {
        return new Uuid(number(), number());
    }

    byte[] data() {
        return bytes(integer());
    }

    String text() {
        return new String(data(), StandardCharsets.UTF_8);
    }

    @Nullable
    String maybeText() {
        int length = integer();
        return length < 0 ? null : new String(bytes(length), StandardCharsets.UTF_8);
    }

    <T> List<T> list(Function<RecordReader, T> element) {
        List<T> list = new ArrayList<>();
        for (long left = number(); left > 0; left--) {
            list.add(element.apply(this));
        }
        return list;
    }

    <K, V> Map<K, V> map(Function<RecordReader, K> key, Function<RecordReader, V> value) {
        Map<K, V> map = new LinkedHashMap<>();
        for (long left = number(); left > 0; left--) {
            K readKey = key.apply(this);
            map.put(readKey, value.apply(this));
        }
        return map;
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
