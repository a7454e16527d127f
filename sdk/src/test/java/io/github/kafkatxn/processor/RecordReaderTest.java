package io.github.kafkatxn.processor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecordReaderTest {
    private static final Headers HEADERS = new RecordHeaders().add("h", new byte[] {3});

    private final List<String> events = new ArrayList<>();

    @Test
    void readsKeyAndValueAndKeepsTheRest() {
        try (RecordReader<String, String> reader =
                RecordReader.of(StringDeserializer::new, StringDeserializer::new, Map.of())) {
            ConsumerRecord<String, String> read = reader.read(polled("key".getBytes(UTF_8), "value".getBytes(UTF_8)));

            assertThat(read.key()).isEqualTo("key");
            assertThat(read.value()).isEqualTo("value");
            assertThat(read.topic()).isEqualTo("in");
            assertThat(read.partition()).isEqualTo(4);
            assertThat(read.offset()).isEqualTo(17);
            assertThat(read.timestamp()).isEqualTo(1234);
            assertThat(read.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
            assertThat(read.serializedKeySize()).isEqualTo(11);
            assertThat(read.serializedValueSize()).isEqualTo(12);
            assertThat(read.headers()).isSameAs(HEADERS);
            assertThat(read.leaderEpoch()).contains(5);
            assertThat(read.deliveryCount()).contains((short) 3);
        }
    }

    @Test
    void nothingIsReadAsNothing() {
        try (RecordReader<String, String> reader =
                RecordReader.of(() -> new Told("key"), () -> new Told("value"), Map.of())) {
            ConsumerRecord<String, String> read = reader.read(polled(null, null));

            assertThat(read.key()).isNull();
            assertThat(read.value()).isNull();
            assertThat(events).as("as in Kafka's consumer, nobody is asked").noneMatch(e -> e.contains("read"));
        }
    }

    @Test
    void deserializersSeeTheHeaders() {
        try (RecordReader<String, String> reader =
                RecordReader.of(() -> new Told("key"), () -> new Told("value"), Map.of())) {
            reader.read(polled(new byte[0], new byte[0]));

            assertThat(events).contains("key read in with " + HEADERS, "value read in with " + HEADERS);
        }
    }

    @Test
    void whatCannotBeReadIsThrown() {
        try (RecordReader<Long, String> reader =
                RecordReader.of(LongDeserializer::new, StringDeserializer::new, Map.of())) {
            assertThatThrownBy(() -> reader.read(polled(new byte[] {1, 2}, new byte[0])))
                    .isInstanceOf(SerializationException.class);
        }
    }

    @Test
    void aRecordOfBytesIsTheRecordThatWasPolled() {
        ConsumerRecord<byte[], byte[]> polled = polled(new byte[] {1}, null);
        try (RecordReader<byte[], byte[]> bytes =
                        RecordReader.of(ByteArrayDeserializer::new, ByteArrayDeserializer::new, Map.of());
                RecordReader<byte[], String> half =
                        RecordReader.of(ByteArrayDeserializer::new, StringDeserializer::new, Map.of());
                RecordReader<byte[], byte[]> own =
                        RecordReader.of(ByteArrayDeserializer::new, Reversing::new, Map.of())) {
            assertThat(bytes.read(polled)).isSameAs(polled);
            assertThat(half.read(polled(new byte[] {1}, "v".getBytes(UTF_8))).value())
                    .isEqualTo("v");
            assertThat(own.read(polled(new byte[] {1}, new byte[] {1, 2})).value())
                    .as("a deserializer that only extends the one for bytes is asked")
                    .containsExactly(2, 1);
        }
    }

    @Test
    void deserializersAreConfiguredAsKeyAndValueAndClosed() {
        RecordReader.of(() -> new Told("key"), () -> new Told("value"), Map.of("a", 1))
                .close();

        assertThat(events)
                .containsExactlyInAnyOrder(
                        "key configured {a=1} true", "value configured {a=1} false", "key closed", "value closed");
    }

    @Test
    void bothAreClosedWhateverTheFirstOneThrows() {
        RecordReader<String, String> reader = RecordReader.of(
                () -> new Told("key").throwingIn("close"), () -> new Told("value").throwingIn("close"), Map.of());

        assertThatThrownBy(reader::close).hasMessageContaining("close");
        assertThat(events).contains("key closed", "value closed");
    }

    @Test
    void whatWasMadeIsClosedIfTheReaderCannotBe() {
        assertThatThrownBy(() -> RecordReader.<String, String>of(
                        () -> new Told("key"), () -> new Told("value").throwingIn("configure"), Map.of()))
                .hasMessage("value configure");
        assertThat(events).contains("key closed", "value closed");

        events.clear();
        assertThatThrownBy(() -> RecordReader.<String, String>of(
                        () -> new Told("key"),
                        () -> {
                            throw new IllegalStateException("no value deserializer");
                        },
                        Map.of()))
                .hasMessage("no value deserializer");
        assertThat(events).contains("key closed");
    }

    // Both may be null, which ConsumerRecord's signature does not say.
    @SuppressWarnings("NullAway")
    private static ConsumerRecord<byte[], byte[]> polled(byte @Nullable [] key, byte @Nullable [] value) {
        return new ConsumerRecord<>(
                "in",
                4,
                17,
                1234,
                TimestampType.LOG_APPEND_TIME,
                11,
                12,
                key,
                value,
                HEADERS,
                Optional.of(5),
                Optional.of((short) 3));
    }

    private static final class Reversing extends ByteArrayDeserializer {
        @Override
        public byte[] deserialize(String topic, byte[] data) {
            byte[] reversed = new byte[data.length];
            for (int i = 0; i < data.length; i++) {
                reversed[i] = data[data.length - 1 - i];
            }
            return reversed;
        }
    }

    /** Tells what it is asked for. */
    private final class Told implements Deserializer<String> {
        private final String name;
        private String throwing = "";

        Told(String name) {
            this.name = name;
        }

        Told throwingIn(String call) {
            throwing = call;
            return this;
        }

        @Override
        public void configure(Map<String, ?> properties, boolean isKey) {
            events.add(name + " configured " + properties + " " + isKey);
            throwIfIn("configure");
        }

        @Override
        public String deserialize(String topic, byte[] data) {
            throw new AssertionError("the one with headers is to be called");
        }

        @Override
        public String deserialize(String topic, Headers headers, byte[] data) {
            events.add(name + " read " + topic + " with " + headers);
            return name;
        }

        @Override
        public void close() {
            events.add(name + " closed");
            throwIfIn("close");
        }

        private void throwIfIn(String call) {
            if (throwing.equals(call)) {
                throw new IllegalStateException(name + " " + call);
            }
        }
    }
}
