package io.github.kafkatxn.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class CheckedSerializerTest {
    private final CheckedSerializer<String> strings = new CheckedSerializer<>(new StringSerializer(), false);

    @Test
    void passesValuesAndTombstones() {
        assertThat(strings.serialize("t", "a")).containsExactly('a');
        assertThat(strings.serialize("t", new RecordHeaders(), "a")).containsExactly('a');
        assertThat(strings.serialize("t", null)).isNull();
        assertThat(strings.serialize("t", new RecordHeaders(), null)).isNull();
    }

    @Test
    void refusesToTurnAValueIntoATombstone() {
        Serializer<String> lossy = (topic, data) -> null;

        assertThatThrownBy(() -> new CheckedSerializer<>(lossy, false).serialize("payments", "a"))
                .isInstanceOf(SerializationException.class)
                .hasMessageContainingAll("null for a value of java.lang.String", "payments", "tombstone");
        assertThatThrownBy(() -> new CheckedSerializer<>(lossy, true).serialize("payments", new RecordHeaders(), "a"))
                .isInstanceOf(SerializationException.class)
                .hasMessageContaining("for a key");
    }

    @Test
    void writesRawBytesAsTheyAre() {
        byte[] bytes = "raw".getBytes(StandardCharsets.UTF_8);
        ProducerRecord<String, String> record = RawBytes.record("t", null, bytes, new RecordHeaders());
        CheckedSerializer<Object> any = new CheckedSerializer<>(
                (topic, data) -> {
                    throw new AssertionError("not for the serializer");
                },
                false);

        assertThat(any.serialize("t", (Object) record.value())).isSameAs(bytes);
        assertThat(any.serialize("t", new RecordHeaders(), (Object) record.key()))
                .isNull();
        assertThat(String.valueOf((Object) record.value())).isEqualTo("3 bytes");
        assertThat(String.valueOf((Object) record.key())).isEqualTo("null");
    }

    @Test
    void configuresAndClosesTheUsersSerializer() {
        List<String> calls = new ArrayList<>();
        Serializer<String> serializer = new StringSerializer() {
            @Override
            public void configure(Map<String, ?> configs, boolean isKey) {
                calls.add(configs + " " + isKey);
            }

            @Override
            public void close() {
                calls.add("close");
            }
        };
        CheckedSerializer<String> checked = new CheckedSerializer<>(serializer, true);

        checked.configure(Map.of("a", 1), true);
        checked.close();

        assertThat(calls).containsExactly("{a=1} true", "close");
    }
}
