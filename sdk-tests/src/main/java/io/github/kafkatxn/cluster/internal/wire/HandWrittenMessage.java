package io.github.kafkatxn.cluster.internal.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.Readable;
import org.apache.kafka.common.protocol.Writable;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.utils.internals.ByteUtils;
import org.jspecify.annotations.Nullable;

/**
 * A message of one version, flexible, that kafka-clients does not have: its fields in order, then tagged ones, of which
 * none is known.
 */
abstract class HandWrittenMessage implements ApiMessage {
    private final List<RawTaggedField> unknown = new ArrayList<>();
    private final short key;
    private final short version;

    HandWrittenMessage(short key, short version) {
        this.key = key;
        this.version = version;
    }

    abstract void writeFields(Writer out);

    abstract void readFields(Reader in);

    @Override
    public final short apiKey() {
        return key;
    }

    @Override
    public final short lowestSupportedVersion() {
        return version;
    }

    @Override
    public final short highestSupportedVersion() {
        return version;
    }

    @Override
    public final void addSize(MessageSizeAccumulator size, ObjectSerializationCache cache, short in) {
        Counter counter = new Counter();
        write(counter, cache, in);
        size.addBytes(counter.bytes());
    }

    @Override
    public final void write(Writable to, ObjectSerializationCache cache, short in) {
        writeFields(new Writer(to));
        to.writeUnsignedVarint(0);
    }

    @Override
    public final void read(Readable from, short in) {
        Reader fields = new Reader(from);
        readFields(fields);
        fields.skipTags();
    }

    @Override
    public final List<RawTaggedField> unknownTaggedFields() {
        return unknown;
    }

    /** Counts what would be written. */
    private static final class Counter implements Writable {
        private int bytes;

        int bytes() {
            return bytes;
        }

        @Override
        public void writeByte(byte value) {
            bytes += Byte.BYTES;
        }

        @Override
        public void writeShort(short value) {
            bytes += Short.BYTES;
        }

        @Override
        public void writeInt(int value) {
            bytes += Integer.BYTES;
        }

        @Override
        public void writeLong(long value) {
            bytes += Long.BYTES;
        }

        @Override
        public void writeDouble(double value) {
            bytes += Double.BYTES;
        }

        @Override
        public void writeByteArray(byte[] value) {
            bytes += value.length;
        }

        @Override
        public void writeUnsignedVarint(int value) {
            bytes += ByteUtils.sizeOfUnsignedVarint(value);
        }

        @Override
        public void writeByteBuffer(ByteBuffer value) {
            bytes += value.remaining();
        }

        @Override
        public void writeVarint(int value) {
            bytes += ByteUtils.sizeOfVarint(value);
        }

        @Override
        public void writeVarlong(long value) {
            bytes += ByteUtils.sizeOfVarlong(value);
        }
    }

    /** Writes the compact forms. */
    record Writer(Writable to) {
        void text(String value) {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            to.writeUnsignedVarint(bytes.length + 1);
            to.writeByteArray(bytes);
        }

        void nullableText(@Nullable String value) {
            if (value == null) {
                to.writeUnsignedVarint(0);
            } else {
                text(value);
            }
        }

        <T> void array(List<T> elements, BiConsumer<T, Writer> each) {
            to.writeUnsignedVarint(elements.size() + 1);
            for (T element : elements) {
                each.accept(element, this);
                to.writeUnsignedVarint(0);
            }
        }
    }

    /** Reads the compact forms. */
    record Reader(Readable from) {
        String text() {
            String value = nullableText();
            if (value == null) {
                throw new IllegalStateException("a text is null that must not be");
            }
            return value;
        }

        @Nullable
        String nullableText() {
            int length = length();
            return length < 0 ? null : from.readString(length);
        }

        List<Byte> bytes() {
            List<Byte> bytes = new ArrayList<>();
            for (int left = length(); left > 0; left--) {
                bytes.add(from.readByte());
            }
            return bytes;
        }

        <T> List<T> array(Function<Reader, T> element) {
            List<T> elements = new ArrayList<>();
            for (int left = length(); left > 0; left--) {
                elements.add(element.apply(this));
                skipTags();
            }
            return elements;
        }

        void skipTags() {
            for (int left = from.readUnsignedVarint(); left > 0; left--) {
                from.readUnsignedVarint();
                from.readArray(from.readUnsignedVarint());
            }
        }

        /** Of a text or an array; -1 for null. */
        private int length() {
            int length = from.readUnsignedVarint() - 1;
            if (length > from.remaining()) {
                throw new IllegalStateException(length + " elements where " + from.remaining() + " bytes are left");
            }
            return length;
        }
    }
}
