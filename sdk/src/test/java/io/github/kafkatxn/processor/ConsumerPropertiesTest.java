package io.github.kafkatxn.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.producer.ProducerSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsumerPropertiesTest {
    private static final Map<String, Object> GIVEN = Map.of("bootstrap.servers", "localhost:9092", "group.id", "group");

    @Test
    void areCompletedWithWhatExactlyOnceNeeds() {
        Map<String, Object> effective = ConsumerProperties.effective(GIVEN);

        assertThat(effective)
                .containsAllEntriesOf(GIVEN)
                .containsEntry("enable.auto.commit", "false")
                .containsEntry("isolation.level", "read_committed")
                .containsEntry("auto.offset.reset", "earliest")
                .containsEntry("allow.auto.create.topics", false);
    }

    @Test
    void whereAGroupBeginsAndWhetherTopicsAreCreatedCanBeSaid() {
        assertThat(ConsumerProperties.effective(
                        with(Map.of("auto.offset.reset", "none", "allow.auto.create.topics", true))))
                .containsEntry("auto.offset.reset", "none")
                .containsEntry("allow.auto.create.topics", true);
    }

    @Test
    void theFixedOnesMayBeRepeated() {
        assertThat(ConsumerProperties.effective(
                        with(Map.of("enable.auto.commit", false, "isolation.level", "read_committed"))))
                .containsEntry("enable.auto.commit", "false")
                .containsEntry("isolation.level", "read_committed");
    }

    @Test
    void refusesASecondWayToCommitOffsets() {
        for (Object value : new Object[] {true, "true"}) {
            assertThatThrownBy(() -> ConsumerProperties.effective(with(Map.of("enable.auto.commit", value))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll(
                            "enable.auto.commit=true is refused", "offsets are committed inside the transaction");
        }
    }

    @Test
    void refusesInputThatMayBeAborted() {
        assertThatThrownBy(() -> ConsumerProperties.effective(with(Map.of("isolation.level", "read_uncommitted"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("isolation.level=read_uncommitted is refused", "aborted later");
    }

    @ParameterizedTest
    @ValueSource(strings = {"key.deserializer", "value.deserializer"})
    void refusesDeserializersAsProperties(String name) {
        assertThatThrownBy(() -> ConsumerProperties.effective(with(Map.of(name, "Any"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(name + " is not a setting here", "create(...)");
    }

    @Test
    void refusesAMissingGroup() {
        assertThatThrownBy(() -> ConsumerProperties.effective(Map.of("bootstrap.servers", "localhost:9092")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("groupId is missing");
        assertThatThrownBy(() -> ConsumerProperties.effective(with(Map.of("group.id", ""))))
                .hasMessageContaining("groupId is missing");
    }

    @Test
    void tellsHowLongAMemberMayWork() {
        assertThat(check(Map.of(), producer())).isEqualTo(Duration.ofMinutes(5));
        assertThat(check(Map.of("max.poll.interval.ms", "40000"), producer()))
                .as("as long as a transaction is enough")
                .isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    void refusesATransactionThatOutlivesTheMembership() {
        assertThatThrownBy(() -> check(Map.of("max.poll.interval.ms", 39_999), producer()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "transaction.timeout.ms=40000",
                        "at most max.poll.interval.ms=39999",
                        "others work on its partitions");
    }

    @Test
    void refusesACallThatOutlivesTheMembership() {
        ProducerSettings.Builder slow = producer().callTimeout(Duration.ofMillis(300_001));
        assertThatThrownBy(() -> check(Map.of(), slow))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "call timeout of 300001 ms", "at most max.poll.interval.ms=300000", "costs the membership");
        assertThat(check(Map.of(), producer().callTimeout(Duration.ofMinutes(5))))
                .isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void refusesWhatTheConsumerCannotRead() {
        assertThatThrownBy(() -> check(Map.of("max.poll.records", "many"), producer()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("consumer property refused", "many", "max.poll.records");
        assertThatThrownBy(() -> check(Map.of("auto.offset.reset", "middle"), producer()))
                .hasMessageContainingAll("consumer property refused", "middle", "auto.offset.reset");
    }

    private static Duration check(Map<String, Object> more, ProducerSettings.Builder producer) {
        return ConsumerProperties.check(ConsumerProperties.effective(with(more)), producer.build());
    }

    private static Map<String, Object> with(Map<String, Object> more) {
        Map<String, Object> all = new HashMap<>(GIVEN);
        all.putAll(more);
        return all;
    }

    private static ProducerSettings.Builder producer() {
        return ProducerSettings.builder().bootstrapServers("localhost:9092").transactionalId("id");
    }
}
