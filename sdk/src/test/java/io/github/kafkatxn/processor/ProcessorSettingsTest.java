package io.github.kafkatxn.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.producer.TransactionListener;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProcessorSettingsTest {

    @Test
    void hasTheDefaultsThatItsBuilderNames() {
        ProcessorSettings settings = valid().build();

        assertThat(settings.concurrency()).isEqualTo(1);
        assertThat(settings.maxAttempts()).isEqualTo(3);
        assertThat(settings.maxFencings()).isEqualTo(5);
        assertThat(settings.deadLetterTopic()).isEmpty();
        assertThat(settings.pollTimeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(settings.shutdownTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.giveUpAfter()).isEqualTo(Duration.ofDays(365));
        assertThat(settings.maxPollInterval()).isEqualTo(Duration.ofMinutes(5));
        assertThat(settings.inputTopics()).containsExactly("in");
        assertThat(settings.listeners()).isEmpty();
        assertThat(settings.consumerProperties())
                .containsEntry("bootstrap.servers", "localhost:9092")
                .containsEntry("group.id", "group")
                .containsEntry("auto.offset.reset", "earliest")
                .containsEntry("isolation.level", "read_committed")
                .containsEntry("enable.auto.commit", "false")
                .containsEntry("allow.auto.create.topics", false);
        assertThat(settings.producer().properties()).containsEntry("bootstrap.servers", "localhost:9092");
    }

    @Test
    void transactionalIdsAreNamedByPrefixInstanceLaneAndTurn() {
        assertThat(valid().build().transactionalId(0, 1))
                .as("the prefix is the group, the instance 0")
                .isEqualTo("group-0-0-1");

        ProcessorSettings settings =
                valid().transactionalIdPrefix("app").instance("pod-7").build();
        assertThat(settings.transactionalId(2, 0)).isEqualTo("app-pod-7-2-0");
        assertThat(settings.laneName(2)).isEqualTo("app-pod-7-2");
    }

    @Test
    void theOnlyLaneHasTheNamesThatWereGiven() {
        assertThat(valid().build().consumerProperties(0))
                .containsEntry("client.id", "group-0-0")
                .doesNotContainKey("group.instance.id");
        assertThat(named().build().consumerProperties(0))
                .containsEntry("client.id", "reader")
                .containsEntry("group.instance.id", "member");
    }

    @Test
    void lanesHaveNamesOfTheirOwn() {
        ProcessorSettings settings = valid().concurrency(2).build();
        assertThat(settings.consumerProperties(0)).containsEntry("client.id", "group-0-0");
        assertThat(settings.consumerProperties(1))
                .containsEntry("client.id", "group-0-1")
                .doesNotContainKey("group.instance.id");

        ProcessorSettings named = named().concurrency(2).build();
        assertThat(named.consumerProperties(0))
                .containsEntry("client.id", "reader-0")
                .containsEntry("group.instance.id", "member-0");
        assertThat(named.consumerProperties(1))
                .containsEntry("client.id", "reader-1")
                .containsEntry("group.instance.id", "member-1");
        assertThat(named.consumerProperties()).containsEntry("client.id", "reader");
    }

    @Test
    void takesWhatItIsGiven() {
        RetryConfig recovery = RetryConfig.ofDefaults();
        ProcessorListener listener = new ProcessorListener() {};
        TransactionListener transactionListener = new TransactionListener() {};
        ProcessorSettings.Builder builder = valid().inputTopics("one", "two")
                .concurrency(1000)
                .maxAttempts(1)
                .maxFencings(1)
                .deadLetterTopic("dead")
                .pollTimeout(Duration.ofMillis(1))
                .shutdownTimeout(Duration.ofMillis(1))
                .giveUpAfter(Duration.ofMillis(1))
                .maxRecordsPerTransaction(7)
                .recovery(recovery)
                .listener(listener)
                .transactionListener(transactionListener)
                .consumerProperty("auto.offset.reset", "latest")
                .producerProperty("linger.ms", 7)
                .clientProperty("security.protocol", "SSL");
        builder.producer().callTimeout(Duration.ofSeconds(11));
        ProcessorSettings settings = builder.build();

        assertThat(settings.inputTopics()).containsExactly("one", "two");
        assertThat(settings.concurrency()).isEqualTo(1000);
        assertThat(settings.maxAttempts()).isEqualTo(1);
        assertThat(settings.maxFencings()).isEqualTo(1);
        assertThat(settings.deadLetterTopic()).contains("dead");
        assertThat(settings.pollTimeout()).isEqualTo(Duration.ofMillis(1));
        assertThat(settings.shutdownTimeout()).isEqualTo(Duration.ofMillis(1));
        assertThat(settings.giveUpAfter()).isEqualTo(Duration.ofMillis(1));
        assertThat(settings.recovery()).isSameAs(recovery);
        assertThat(settings.listeners()).containsExactly(listener);
        assertThat(settings.consumerProperties())
                .containsEntry("max.poll.records", 7)
                .containsEntry("auto.offset.reset", "latest")
                .containsEntry("security.protocol", "SSL")
                .doesNotContainKey("linger.ms");
        assertThat(settings.producer().properties())
                .containsEntry("linger.ms", 7)
                .containsEntry("security.protocol", "SSL");
        assertThat(settings.producer().callTimeout()).isEqualTo(Duration.ofSeconds(11));
        assertThat(settings.producer().listeners()).containsExactly(transactionListener);
    }

    @Test
    void isImmutableAndItsBuilderCanBuildAgain() {
        ProcessorSettings.Builder builder = valid();
        ProcessorSettings first = builder.build();
        assertThat(builder.build().consumerProperties()).isEqualTo(first.consumerProperties());

        ProcessorSettings second = builder.instance("other")
                .groupId("another")
                .producerProperty("linger.ms", 7)
                .listener(new ProcessorListener() {})
                .build();

        assertThat(second.transactionalId(0, 0)).isEqualTo("another-other-0-0");
        assertThat(second.producer().properties()).containsEntry("linger.ms", 7);
        assertThat(first.transactionalId(0, 0)).isEqualTo("group-0-0-0");
        assertThat(first.consumerProperties()).containsEntry("group.id", "group");
        assertThat(first.producer().properties()).containsEntry("linger.ms", 100);
        assertThat(first.listeners()).isEmpty();
        assertThatThrownBy(() -> first.consumerProperties().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    static Stream<Arguments> refusals() {
        String max = String.valueOf(Integer.MAX_VALUE);
        Duration nanos = Duration.ofNanos(999_999);
        Duration tooLong = Duration.ofDays(100_001);
        return Stream.of(
                refused(b -> b.inputTopics(), "inputTopics must name at least one topic"),
                refused(b -> b.inputTopics("in", " "), "a name in inputTopics must not be empty"),
                refused(b -> b.deadLetterTopic("in"), "deadLetterTopic=in", "input topic", "come back for ever"),
                refused(b -> b.deadLetterTopic(" "), "deadLetterTopic must not be empty"),
                refused(b -> b.concurrency(0), "concurrency=0", "from 1 to 1000"),
                refused(b -> b.concurrency(1001), "concurrency=1001", "from 1 to 1000"),
                refused(b -> b.maxAttempts(0), "maxAttempts=0", "from 1 to " + max),
                refused(b -> b.maxFencings(0), "maxFencings=0", "from 1 to " + max),
                refused(b -> b.pollTimeout(Duration.ZERO), "pollTimeout=PT0S", "from 1 ms to 100000 days"),
                refused(b -> b.pollTimeout(nanos), "pollTimeout=" + nanos, "from 1 ms"),
                refused(b -> b.shutdownTimeout(Duration.ofMillis(-1)), "shutdownTimeout=PT-0.001S", "from 1 ms"),
                refused(b -> b.giveUpAfter(Duration.ZERO), "giveUpAfter=PT0S", "from 1 ms to 100000 days"),
                refused(b -> b.giveUpAfter(tooLong), "giveUpAfter=" + tooLong, "100000 days"),
                refused(b -> b.instance(" "), "instance must not be empty"),
                refused(b -> b.transactionalIdPrefix(" "), "transactionalIdPrefix must not be empty"),
                refused(b -> b.groupId(" "), "groupId is missing"),
                refused(b -> b.maxRecordsPerTransaction(0), "max.poll.records", "0", "at least 1"),
                refused(
                        b -> b.consumerProperty("enable.auto.commit", true),
                        "enable.auto.commit=true",
                        "committed inside the transaction"),
                refused(
                        b -> b.producerProperty("delivery.timeout.ms", 40_001),
                        "delivery.timeout.ms=40001",
                        "at most transaction.timeout.ms=40000"),
                refused(
                        b -> b.producerProperty("linger.ms", 20_000),
                        "linger.ms=20000 plus request.timeout.ms=15000",
                        "at most delivery.timeout.ms=30000"),
                refused(
                        b -> b.producer().transactionTimeout(Duration.ofMillis(300_001)),
                        "transaction.timeout.ms=300001",
                        "at most max.poll.interval.ms=300000"),
                refused(b -> b.producerProperty("acks", "1"), "acks=1", "always all"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void refusesByNameValueAndRange(Consumer<ProcessorSettings.Builder> change, String[] words) {
        ProcessorSettings.Builder builder = valid();
        change.accept(builder);

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void refusesATransactionalIdForAllProducers() {
        assertThatThrownBy(() -> valid().producerProperty("transactional.id", "orders"))
                .hasMessageContaining("transactional.id=orders")
                .hasMessageContaining("transactionalIdPrefix");
        assertThatThrownBy(() -> valid().clientProperty("transactional.id", "orders"))
                .hasMessageContaining("transactional.id=orders");
    }

    @Test
    void refusesWhatIsMissing() {
        assertThatThrownBy(() -> ProcessorSettings.builder()
                        .bootstrapServers("localhost:9092")
                        .inputTopics("in")
                        .build())
                .hasMessageContaining("groupId is missing");
        assertThatThrownBy(() -> ProcessorSettings.builder()
                        .bootstrapServers("localhost:9092")
                        .groupId("group")
                        .build())
                .hasMessageContaining("inputTopics must name at least one topic");
        assertThatThrownBy(() -> ProcessorSettings.builder()
                        .groupId("group")
                        .inputTopics("in")
                        .build())
                .hasMessageContaining("bootstrap.servers is missing");
    }

    @Test
    @SuppressWarnings("NullAway") // Not every caller is checked.
    void refusesNullsAtOnce() {
        assertThatThrownBy(() -> valid().consumerProperty("client.id", null)).hasMessageContaining("client.id");
        assertThatThrownBy(() -> valid().producerProperty("linger.ms", null)).hasMessageContaining("linger.ms");
        assertThatThrownBy(() -> valid().consumerProperty(null, 1)).hasMessageContaining("name");
        assertThatThrownBy(() -> valid().groupId(null)).hasMessageContaining("group.id");
        assertThatThrownBy(() -> valid().recovery(null)).hasMessageContaining("recovery");
        assertThatThrownBy(() -> valid().listener(null)).hasMessageContaining("listener");
        assertThatThrownBy(() -> valid().pollTimeout(null)).hasMessageContaining("pollTimeout");
        assertThatThrownBy(() -> valid().shutdownTimeout(null)).hasMessageContaining("shutdownTimeout");
        assertThatThrownBy(() -> valid().giveUpAfter(null)).hasMessageContaining("giveUpAfter");
    }

    private static Arguments refused(Consumer<ProcessorSettings.Builder> change, String... words) {
        return Arguments.of(change, words);
    }

    private static ProcessorSettings.Builder valid() {
        return ProcessorSettings.builder()
                .bootstrapServers("localhost:9092")
                .groupId("group")
                .inputTopics("in");
    }

    private static ProcessorSettings.Builder named() {
        return valid().consumerProperty("client.id", "reader").consumerProperty("group.instance.id", "member");
    }
}
