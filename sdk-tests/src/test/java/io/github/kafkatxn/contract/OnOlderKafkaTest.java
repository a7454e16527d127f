package io.github.kafkatxn.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kafkatxn.apache.ApacheKafka;
import io.github.kafkatxn.internal.wire.BrokerConnections;
import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionListener.OffsetsPath;
import io.github.kafkatxn.producer.TransactionalProducer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * The contracts on older releases of Apache Kafka, where somebody has fetched their jars: offsets by name and by the
 * client's own call.
 */
class OnOlderKafkaTest {

    @Nested
    class On41 extends OnOlder {
        On41() {
            super("4.1.2", 2, 5, OffsetsPath.OLD_COORDINATOR);
        }
    }

    @Nested
    class On39 extends OnOlder {
        On39() {
            super("3.9.2", 0, 4, OffsetsPath.TRANSACTION_VERSION_1);
        }
    }

    @TestInstance(Lifecycle.PER_CLASS)
    abstract static class OnOlder {
        @AutoClose
        private final ApacheKafkaTarget target;

        private final int offsetsVersion;
        private final OffsetsPath offsetsPath;

        OnOlder(String version, int transactionVersion, int offsetsVersion, OffsetsPath offsetsPath) {
            this.offsetsVersion = offsetsVersion;
            this.offsetsPath = offsetsPath;
            Path libs = Path.of("apache-kafka", "target", "libs-" + version);
            assumeTrue(
                    Files.isDirectory(libs),
                    () -> "no broker " + version + " in " + libs
                            + "; this fetches it: mvn -q -pl sdk-tests/apache-kafka"
                            + " generate-resources -Dkafka.version=" + version + " -Dbroker.libs=libs-" + version);
            ApacheKafka kafka = ApacheKafka.builder()
                    .libs(libs)
                    .transactionVersion(transactionVersion)
                    // Later ones do so without being told.
                    .brokerProperty("group.coordinator.rebalance.protocols", "classic,consumer")
                    .quickStart()
                    .relayed()
                    .fencedLate()
                    .start();
            target = new ApacheKafkaTarget(kafka, transactionVersion, null, false);
        }

        /** In the highest one that the release has for its transactions, and that is told. */
        @Test
        void offsetsGoOutInTheVersionOfTheRelease() {
            TopicPartition in = new TopicPartition("in", 0);
            ProducerSettings settings = ProducerSettings.builder()
                    .properties(target.clientConfig())
                    .transactionalId("offsets")
                    .build();
            try (ClusterProbe probe = new ClusterProbe(target);
                    TransactionalProducer<String, String> producer =
                            TransactionalProducer.create(settings, StringSerializer::new, StringSerializer::new)) {
                probe.createTopic(in.topic(), 1);
                producer.init().orElseThrow();
                Transaction<String, String> transaction =
                        producer.beginTransaction().orElseThrow();
                transaction
                        .sendOffsetsToTransaction(
                                Map.of(in, new OffsetAndMetadata(5)), Calls.groupMetadata("group", -1, ""))
                        .orElseThrow();
                transaction.commit().orElseThrow();

                assertThat(highestVersion(settings)).isEqualTo(offsetsVersion);
                assertThat(transaction.offsetsPath()).contains(offsetsPath);
                ClusterProbe.eventually("the committed offset")
                        .untilAsserted(() ->
                                assertThat(probe.committedOffset("group", in)).hasValue(5));
            }
        }

        private static int highestVersion(ProducerSettings settings) {
            Deadline deadline = Deadline.in(Duration.ofSeconds(20));
            BrokerConnections connections = BrokerConnections.open(BrokerConnections.config(settings.properties()));
            try {
                ApiVersionsResponse answer = (ApiVersionsResponse) connections
                        .ask(null, new ApiVersionsRequest.Builder(), deadline)
                        .responseBody();
                return answer.apiVersion(ApiKeys.TXN_OFFSET_COMMIT.id).maxVersion();
            } finally {
                connections.close(deadline);
            }
        }

        @Nested
        class Producer extends ProducerContracts {
            @Override
            protected KafkaTarget target() {
                return target;
            }
        }

        @Nested
        class Processor extends ProcessorContracts {
            @Override
            protected KafkaTarget target() {
                return target;
            }
        }
    }
}
