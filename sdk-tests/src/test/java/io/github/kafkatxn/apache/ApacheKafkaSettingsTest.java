package io.github.kafkatxn.apache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ApacheKafkaSettingsTest {

    @ParameterizedTest
    @MethodSource("refused")
    void badValueIsRefusedWithSettingValueAndRange(Consumer<ApacheKafkaSettings.Builder> setting, String message) {
        assertThatThrownBy(() -> setting.accept(ApacheKafka.builder()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                refused(settings -> settings.brokers(0), "brokers 0: allowed is 1 to 9"),
                refused(settings -> settings.brokers(10), "brokers 10: allowed is 1 to 9"),
                refused(settings -> settings.transactionVersion(3), "transactionVersion 3: allowed is 0 to 2"),
                refused(settings -> settings.heapMiB(64), "heapMiB 64: allowed is 128 to 65536"),
                refused(
                        settings -> settings.startTimeout(Duration.ofMillis(999)),
                        "startTimeout PT0.999S: allowed is PT1S to PT30M"),
                refused(
                        settings -> settings.brokerProperty("node.id", "7"),
                        "brokerProperty node.id=7: allowed is any property of a Kafka broker but advertised.listeners, "),
                refused(settings -> settings.jvmOption("Xmx1g"), "jvmOption 'Xmx1g': allowed is -"),
                refused(settings -> settings.user("admin", "secret"), "user admin: allowed is any name but admin"),
                refused(settings -> settings.user("a b", "secret"), "user 'a b': allowed is [A-Za-z0-9_-]{1,64}"),
                refused(settings -> settings.user("alice", "\""), "password of user alice '\"': allowed is "));
    }

    private static Arguments refused(Consumer<ApacheKafkaSettings.Builder> setting, String message) {
        return Arguments.of(setting, message);
    }

    @Test
    void settingsDoNotChangeWithTheBuilderTheyCameFrom() {
        ApacheKafkaSettings.Builder builder = ApacheKafka.builder().brokerProperty("num.io.threads", "2");
        ApacheKafkaSettings settings = builder.build();

        builder.brokers(3).brokerProperty("num.io.threads", "4").user("alice", "secret");

        assertThat(settings.brokers()).isEqualTo(1);
        assertThat(settings.brokerProperties()).containsOnly(Map.entry("num.io.threads", "2"));
        assertThat(settings.authorization()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("replicas")
    void oneOfThreeBrokersMayBeLost(int brokers, String replicas, String inSync) {
        assertThat(TestDefaults.of(brokers))
                .containsEntry("default.replication.factor", replicas)
                .containsEntry("transaction.state.log.replication.factor", replicas)
                .containsEntry("min.insync.replicas", inSync)
                .containsEntry("transaction.state.log.min.isr", inSync);
    }

    static Stream<Arguments> replicas() {
        return Stream.of(
                Arguments.of(1, "1", "1"),
                Arguments.of(2, "2", "1"),
                Arguments.of(3, "3", "2"),
                Arguments.of(5, "3", "2"));
    }
}
