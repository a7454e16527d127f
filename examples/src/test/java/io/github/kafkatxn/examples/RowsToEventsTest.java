package io.github.kafkatxn.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class RowsToEventsTest {
    private final List<ProducerRecord<String, String>> sent = new ArrayList<>();

    @Test
    void writesARowAsAnObjectKeyedByItsFirstField() {
        transform(List.of("airport", "date", "speed", "cost"), "7", "JFK,1990-01-08,-12.5,");

        ProducerRecord<String, String> event = sent.get(0);
        assertThat(event.topic()).isEqualTo("events");
        assertThat(event.key()).isEqualTo("JFK");
        assertThat(event.value())
                .isEqualTo("{\"airport\":\"JFK\",\"date\":\"1990-01-08\",\"speed\":-12.5,\"cost\":null}");
        assertThat(event.headers().lastHeader(RowsToEvents.ROW_HEADER).value())
                .isEqualTo("7".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatOnlyLooksLikeANumberIsText() {
        transform(List.of("a", "b", "c"), "1", "007,1.,1e3");
        assertThat(sent.get(0).value()).isEqualTo("{\"a\":\"007\",\"b\":\"1.\",\"c\":\"1e3\"}");
    }

    @Test
    void aRowOfOneColumnIsTakenAsItIs() {
        transform(List.of("text"), "1", "a, \"b\" \\ c");
        assertThat(sent.get(0).value()).isEqualTo("{\"text\":\"a, \\\"b\\\" \\\\ c\"}");
    }

    @Test
    void malformedRowsAreRefused() {
        List<String> columns = List.of("a", "b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> transform(columns, "1", "x"))
                .withMessage("1 fields where there are 2 columns");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> transform(columns, "1", "x,a\u0000b"))
                .withMessageContaining("control character");
        assertThat(sent).isEmpty();
    }

    private void transform(List<String> columns, String key, String row) {
        new RowsToEvents(columns, "events").transform(new ConsumerRecord<>("rows", 0, 0, key, row), sent::add);
    }
}
