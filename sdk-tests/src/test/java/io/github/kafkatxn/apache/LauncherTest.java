package io.github.kafkatxn.apache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherTest {

    @Test
    void portThatSomebodyTookCostsAnotherAttempt() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            AtomicInteger picks = new AtomicInteger();
            Launcher launcher = new Launcher(
                    ApacheKafka.builder().quickStart().build(),
                    BrokerJars.find(null),
                    count -> picks.getAndIncrement() == 0
                            ? List.of(taken.getLocalPort(), FreePorts.pick(1).get(0))
                            : FreePorts.pick(count));

            try (Nodes nodes = launcher.launch(Deadline.after(Duration.ofSeconds(60)))) {
                assertThat(nodes.broker(1).isServing()).isTrue();
            }
            assertThat(picks).hasValue(2);
        }
    }

    @Test
    void brokerThatDoesNotStartIsReportedWithTheEndOfItsLog() {
        ApacheKafkaSettings.Builder wrong = ApacheKafka.builder().brokerProperty("num.io.threads", "none");

        assertThatThrownBy(wrong::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("broker 1 ended before it was up; ")
                .hasMessageContaining("server.log ends with")
                .hasMessageContaining("Invalid value none for configuration num.io.threads");
    }

    @Test
    void brokerThatTakesTooLongIsReported() {
        ApacheKafkaSettings.Builder late = ApacheKafka.builder().startTimeout(Duration.ofSeconds(1));

        assertThatThrownBy(late::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("broker 1 is not up after PT1S; ");
    }

    @Test
    void missingJarsAreReportedWithWhatToDo(@TempDir Path empty) {
        ApacheKafkaSettings.Builder nowhere = ApacheKafka.builder().libs(empty);

        assertThatThrownBy(nowhere::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("no jar of the Apache Kafka broker (kafka_2.13-*.jar) in " + empty)
                .hasMessageContaining("mvn -pl sdk-tests/apache-kafka generate-resources")
                .hasMessageContaining("-Dkafkatxn.apacheKafka.libs=FOLDER");
    }
}
