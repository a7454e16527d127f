package io.github.kafkatxn.apache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApacheKafkaTest {

    @Test
    void unmodifiedClientsProduceAndConsume() throws Exception {
        ApacheKafka kafka = ApacheKafka.shared(2);
        TestClients.createTopic(kafka, "orders");

        TestClients.produce(Map.of("bootstrap.servers", kafka.bootstrapServers()), "orders", "a", "b", "c");

        assertThat(TestClients.consume(kafka.adminConfig(), "orders", 3)).containsExactly("a", "b", "c");
        assertThat(kafka.leader("orders", 0)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void transactionVersionIsFinalized(int level) throws Exception {
        ApacheKafka kafka = ApacheKafka.shared(level);

        assertThat(finalizedTransactionVersion(kafka)).isEqualTo((short) level);
        assertThat(ApacheKafka.shared(level)).isSameAs(kafka);
    }

    @Test
    void coordinatorsAreTheBrokersThatTheClusterNames() throws Exception {
        ApacheKafka kafka = ApacheKafka.shared(2);
        TestClients.createTopic(kafka, "coordinated");
        TestClients.produce(kafka.adminConfig(), "coordinated", "a");

        assertThat(kafka.transactionCoordinator("tx-coordinated")).isEqualTo(1);
        assertThat(kafka.groupCoordinator("group")).isEqualTo(1);
        assertThat(kafka.brokerIds()).containsExactly(1);
    }

    @Test
    void unknownTopicPartitionAndBrokerAreRefused() throws Exception {
        ApacheKafka kafka = ApacheKafka.shared(2);
        TestClients.createTopic(kafka, "single");

        assertThatThrownBy(() -> kafka.leader("nowhere", 0)).isInstanceOf(UnknownTopicOrPartitionException.class);
        assertThatThrownBy(() -> kafka.leader("single", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("partition 1 of single: allowed is 0 to 0");
        assertThatThrownBy(() -> kafka.kill(2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("broker 2: allowed is one of [1]");
        assertThatThrownBy(() -> kafka.clientConfig("alice"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("authorization()");
    }

    private static short finalizedTransactionVersion(ApacheKafka kafka) throws Exception {
        try (Admin admin = Admin.create(kafka.adminConfig())) {
            var features = admin.describeFeatures().featureMetadata().get(30, TimeUnit.SECONDS);
            return List.copyOf(features.finalizedFeatures().entrySet()).stream()
                    .filter(feature -> feature.getKey().equals("transaction.version"))
                    .findFirst()
                    .orElseThrow()
                    .getValue()
                    .maxVersionLevel();
        }
    }
}
