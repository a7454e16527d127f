package io.github.kafkatxn.apache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreeBrokersTest {

    @Test
    void anyBrokerMayBeLost() throws Exception {
        try (ApacheKafka kafka = ApacheKafka.builder().brokers(3).quickStart().start()) {
            assertThat(kafka.brokerIds()).containsExactly(1, 2, 3);
            TestClients.createTopic(kafka, "replicated");
            TestClients.produce(kafka.adminConfig(), "replicated", "before");
            assertThat(TestClients.consume(kafka.adminConfig(), "replicated", 1))
                    .containsExactly("before");

            int lost = kafka.transactionCoordinator("tx-replicated");
            List<Integer> survivors = new ArrayList<>(kafka.brokerIds());
            survivors.remove(Integer.valueOf(lost));
            kafka.kill(lost);
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                assertThat(kafka.transactionCoordinator("tx-replicated")).isIn(survivors);
                assertThat(kafka.groupCoordinator("group")).isIn(survivors);
                assertThat(kafka.leader("replicated", 0)).isIn(survivors);
            });
            TestClients.produce(kafka.adminConfig(), "replicated", "after");
            assertThat(TestClients.consume(kafka.adminConfig(), "replicated", 2))
                    .containsExactly("before", "after");

            kafka.restart(lost);
            kafka.stop(survivors.get(0));
            TestClients.produce(kafka.adminConfig(), "replicated", "again");
            assertThat(TestClients.consume(kafka.adminConfig(), "replicated", 3))
                    .containsExactly("before", "after", "again");
        }
    }
}
