package io.github.kafkatxn.apache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** One broker that goes through everything in turn; the last test closes it while it is paused. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BrokerFaultsTest {
    private final ApacheKafka kafka = ApacheKafka.builder().quickStart().start();

    @BeforeAll
    void produce() throws Exception {
        TestClients.createTopic(kafka, "kept");
        TestClients.produce(kafka.adminConfig(), "kept", "a", "b");
        assertMarkersAreWritten("kept");
    }

    @AfterAll
    void close() {
        kafka.close();
    }

    /** Or killing the only broker could leave the transaction open, see {@link ApacheKafka#kill}. */
    private void assertMarkersAreWritten(String topic) {
        assertThat(TestClients.consume(kafka.adminConfig(), topic, 2)).hasSize(2);
    }

    @Test
    @Order(1)
    void killedBrokerKeepsItsDataAndItsPort() {
        String before = kafka.bootstrapServers();
        long pid = kafka.pid(1);

        kafka.kill(1);
        assertThat(ProcessHandle.of(pid)).isEmpty();
        kafka.restart(1);

        assertThat(kafka.bootstrapServers()).isEqualTo(before);
        assertThat(TestClients.consume(kafka.adminConfig(), "kept", 2)).containsExactly("a", "b");
    }

    @Test
    @Order(2)
    void stoppedBrokerShutsDownCleanly() {
        kafka.stop(1);

        assertThat(kafka.log(1)).content().contains("shut down completed");
        assertThatThrownBy(() -> kafka.stop(1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("broker 1 is not running");
        assertThatThrownBy(() -> kafka.leader("kept", 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no broker is running");
        kafka.restart(1);
        assertThat(TestClients.consume(kafka.adminConfig(), "kept", 2)).containsExactly("a", "b");
    }

    @Test
    @Order(3)
    void pausedBrokerAnswersOnlyAfterItIsResumed() throws Exception {
        try (Admin admin = Admin.create(kafka.adminConfig())) {
            kafka.pause(1);
            var answer = admin.describeCluster().nodes();
            assertThatThrownBy(() -> kafka.pause(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("broker 1 is paused");
            assertThat(answer.isDone()).isFalse();
            kafka.resume(1);
            assertThat(answer.get(30, TimeUnit.SECONDS)).hasSize(1);
        }
        assertThatThrownBy(() -> kafka.resume(1)).hasMessage("broker 1 is not paused");
    }

    @Test
    @Order(4)
    void closeEndsAPausedBrokerAndDeletesItsFiles() {
        Path work = kafka.log(1).getParent();
        ProcessHandle process = ProcessHandle.of(kafka.pid(1)).orElseThrow();
        kafka.pause(1);

        kafka.close();

        assertThat(process.isAlive()).isFalse();
        assertThat(Files.exists(work)).isFalse();
        assertThat(kafka.isOpen()).isFalse();
        assertThatThrownBy(() -> kafka.restart(1)).hasMessage("broker 1 is closed");
    }
}
