package io.github.kafkatxn.apache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

/** Answers kept back on the way from a real broker. */
class RelayTest {
    private final ApacheKafka kafka = ApacheKafka.shared(2);

    @Test
    void anAnswerIsKeptBackUntilItMayGo() throws Exception {
        try (Admin held = admin("held");
                Admin free = admin("free")) {
            CompletableFuture<String> id;
            try (HeldAnswers answers = kafka.relay().holdAnswers(ApiKeys.DESCRIBE_CLUSTER, "held")) {
                id = held.describeCluster().clusterId().toCompletionStage().toCompletableFuture();
                answers.await();
                assertThat(free.describeCluster().clusterId().get()).isNotBlank();
                assertThat(id).isNotDone();
            }
            assertThat(id.get()).isEqualTo(free.describeCluster().clusterId().get());
            assertThat(held.describeCluster().clusterId().get()).isEqualTo(id.get());
        }
    }

    @Test
    void clientsThatComeThroughItStayOnIt() throws Exception {
        try (Admin admin = admin("any")) {
            assertThat(admin.describeCluster().nodes().get())
                    .hasSize(1)
                    .allSatisfy(node -> assertThat(node.host() + ":" + node.port())
                            .isEqualTo(kafka.relayedConfig().get("bootstrap.servers")));
        }
    }

    @Test
    void isRefusedWhereItCannotBe() {
        assertThatThrownBy(() -> ApacheKafka.builder().relayed().authorization().build())
                .hasMessage("relayed() and authorization(): allowed is one of them");
    }

    private Admin admin(String clientId) {
        Map<String, Object> config = new HashMap<>(kafka.relayedConfig());
        config.put("client.id", clientId);
        return Admin.create(config);
    }
}
