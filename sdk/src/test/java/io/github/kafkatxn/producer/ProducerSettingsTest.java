package io.github.kafkatxn.producer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProducerSettingsTest {

    @Test
    void hasDefaultsThatSuitTransactions() {
        ProducerSettings settings = valid().build();

        assertThat(settings.properties())
                .containsEntry("bootstrap.servers", "localhost:9092")
                .containsEntry("transactional.id", "id")
                .containsEntry("enable.idempotence", true)
                .containsEntry("acks", "all")
                .containsEntry("linger.ms", 100)
                .containsEntry("batch.size", 262_144)
                .containsEntry("retry.backoff.ms", 2)
                .containsEntry("transaction.timeout.ms", 40_000)
                .containsEntry("delivery.timeout.ms", 30_000)
                .containsEntry("request.timeout.ms", 15_000);
        assertThat(settings.properties())
                .hasEntrySatisfying("max.block.ms", value -> assertThat(value).hasToString("10000"));
        assertThat(settings.transactionalId()).isEqualTo("id");
        assertThat(settings.transactionTimeout()).isEqualTo(Duration.ofSeconds(40));
        assertThat(settings.callTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.closeTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(settings.listeners()).isEmpty();
    }

    /** The shorter the transaction, the shorter what has to fit into it, down to a millisecond's worth. */
    @Test
    void defaultsFollowTheTransactionTimeout() {
        for (int millis : new int[] {2, 3, 10, 100, 1_000, 10_000, 60_000, 900_000}) {
            Map<String, Object> properties = valid().transactionTimeout(Duration.ofMillis(millis))
                    .build()
                    .properties();
            assertThat((Integer) properties.get("delivery.timeout.ms"))
                    .as("transaction timeout %s", millis)
                    .isPositive()
                    .isLessThanOrEqualTo(millis);
        }
        assertThat(valid().callTimeout(Duration.ofMillis(50)).build().properties())
                .hasEntrySatisfying(
                        "max.block.ms",
                        value -> assertThat(((Number) value).longValue()).isEqualTo(50));
    }

    @Test
    void whatIsGivenTakesTheplaceOfADefault() {
        assertThat(valid().property("linger.ms", 7)
                        .property("compression.type", "lz4")
                        .properties(Map.of("max.block.ms", "8000"))
                        .build()
                        .properties())
                .containsEntry("linger.ms", 7)
                .containsEntry("compression.type", "lz4")
                .containsEntry("max.block.ms", "8000");
    }

    @Test
    void theFixedPropertiesMayBeRepeated() {
        assertThat(valid().property("enable.idempotence", "true")
                        .property("acks", "-1")
                        .property("transaction.two.phase.commit.enable", false)
                        .build()
                        .properties())
                .containsEntry("acks", "all");
        assertThat(ProducerSettings.builder()
                        .bootstrapServers("localhost:9092")
                        .property("transactional.id", "by property")
                        .build()
                        .transactionalId())
                .isEqualTo("by property");
    }

    @Test
    void aVariationKeepsTheRest() {
        TransactionListener listener = new TransactionListener() {};
        RetryConfig retry = RetryConfig.custom().maxAttempts(3).build();
        ProducerSettings settings = valid().property("linger.ms", 7)
                .callTimeout(Duration.ofSeconds(11))
                .closeTimeout(Duration.ofSeconds(12))
                .retry(retry)
                .listener(listener)
                .build();

        ProducerSettings other = settings.toBuilder()
                .transactionalId("other")
                .transactionTimeout(Duration.ofSeconds(8))
                .build();

        assertThat(other.transactionalId()).isEqualTo("other");
        assertThat(other.properties())
                .containsEntry("transactional.id", "other")
                .containsEntry("linger.ms", 7)
                .as("a default that follows the new timeout")
                .containsEntry("delivery.timeout.ms", 6_000);
        assertThat(other.callTimeout()).isEqualTo(Duration.ofSeconds(11));
        assertThat(other.closeTimeout()).isEqualTo(Duration.ofSeconds(12));
        assertThat(other.retry()).isSameAs(retry);
        assertThat(other.listeners()).containsExactly(listener);
        assertThat(settings.transactionalId()).isEqualTo("id");
    }

    @Test
    void isImmutable() {
        ProducerSettings.Builder builder = valid();
        ProducerSettings settings = builder.build();
        builder.property("linger.ms", 7).listener(new TransactionListener() {});

        assertThat(settings.properties()).containsEntry("linger.ms", 100);
        assertThat(settings.listeners()).isEmpty();
        assertThatThrownBy(() -> settings.properties().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                refused(b -> b.property("enable.idempotence", false), "enable.idempotence=false", "always true"),
                refused(b -> b.property("acks", "1"), "acks=1", "always all"),
                refused(
                        b -> b.property("transaction.two.phase.commit.enable", true),
                        "transaction.two.phase.commit.enable=true",
                        "always false"),
                refused(
                        b -> b.property("delivery.timeout.ms", 40_001),
                        "delivery.timeout.ms=40001",
                        "at most transaction.timeout.ms=40000"),
                refused(
                        b -> b.property("linger.ms", 20_000),
                        "linger.ms=20000 plus request.timeout.ms=15000",
                        "at most delivery.timeout.ms=30000"),
                refused(b -> b.property("max.block.ms", 30_001), "max.block.ms=30001", "from 1 to", "30000 ms"),
                refused(b -> b.property("max.block.ms", 0), "max.block.ms=0", "from 1 to"),
                refused(b -> b.property("retries", 0), "retries=0", "delivery.timeout.ms"),
                refused(
                        b -> b.property("max.in.flight.requests.per.connection", 6),
                        "max.in.flight.requests.per.connection=6",
                        "from 1 to 5"),
                refused(b -> b.property("transaction.timeout.ms", 0), "transaction.timeout.ms=0", "at least 1"),
                refused(b -> b.property("transaction.timeout.ms", -5), "transaction.timeout.ms=-5", "at least 1"),
                refused(b -> b.property("batch.size", "many"), "many", "batch.size"),
                refused(b -> b.property("compression.type", "zip"), "zip", "compression.type"),
                refused(b -> b.transactionalId(" "), "transactional.id is missing"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refusesByNameValueAndRange(Consumer<ProducerSettings.Builder> change, String[] words) {
        ProducerSettings.Builder builder = valid();
        change.accept(builder);

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void refusesWhatIsMissing() {
        assertThatThrownBy(
                        () -> ProducerSettings.builder().transactionalId("id").build())
                .hasMessageContaining("bootstrap.servers is missing");
        assertThatThrownBy(() -> ProducerSettings.builder()
                        .bootstrapServers("localhost:9092")
                        .build())
                .hasMessageContaining("transactional.id is missing");
    }

    @Test
    @SuppressWarnings("NullAway") // Not every caller is checked.
    void refusesTimesAndNullsAtOnce() {
        for (Duration bad : new Duration[] {
            Duration.ZERO,
            Duration.ofMillis(-1),
            Duration.ofNanos(10),
            Duration.ofDays(30),
            Duration.ofSeconds(-3),
            ChronoUnit.FOREVER.getDuration()
        }) {
            assertThatThrownBy(() -> valid().callTimeout(bad))
                    .hasMessageContainingAll("call timeout of " + bad, "from 1 ms to 2147483647 ms");
            assertThatThrownBy(() -> valid().closeTimeout(bad)).hasMessageContaining("close timeout of " + bad);
            assertThatThrownBy(() -> valid().transactionTimeout(bad))
                    .hasMessageContaining("transaction timeout of " + bad);
        }
        assertThatThrownBy(() -> valid().property("linger.ms", null)).hasMessageContaining("linger.ms");
        assertThatThrownBy(() -> valid().property(null, 1)).hasMessageContaining("name");
        assertThatThrownBy(() -> valid().retry(null)).hasMessageContaining("retry");
        assertThatThrownBy(() -> valid().listener(null)).hasMessageContaining("listener");
    }

    private static Arguments refused(Consumer<ProducerSettings.Builder> change, String... words) {
        return Arguments.of(change, words);
    }

    private static ProducerSettings.Builder valid() {
        return ProducerSettings.builder().bootstrapServers("localhost:9092").transactionalId("id");
    }
}
