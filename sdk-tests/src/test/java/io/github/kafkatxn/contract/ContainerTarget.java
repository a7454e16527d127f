package io.github.kafkatxn.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.CommonClientConfigs;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

/** An Apache Kafka in a container. */
record ContainerTarget(KafkaContainer kafka) implements KafkaTarget, AutoCloseable {
    private static final String IMAGE = "apache/kafka:4.4.0";

    /** Starts one; where there is no Docker, the tests are skipped. */
    static ContainerTarget start() {
        assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "Docker does not answer here");
        KafkaContainer container = new KafkaContainer(IMAGE)
                .withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false")
                .withEnv("KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS", "100")
                .withEnv("KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0")
                .withEnv("KAFKA_GROUP_CONSUMER_HEARTBEAT_INTERVAL_MS", "500")
                .withEnv("KAFKA_GROUP_CONSUMER_MIN_HEARTBEAT_INTERVAL_MS", "50")
                .withEnv("KAFKA_GROUP_CONSUMER_SESSION_TIMEOUT_MS", "10000")
                .withEnv("KAFKA_GROUP_CONSUMER_MIN_SESSION_TIMEOUT_MS", "100")
                .withEnv("KAFKA_TRANSACTION_ABORT_TIMED_OUT_TRANSACTION_CLEANUP_INTERVAL_MS", "500");
        container.start();
        return new ContainerTarget(container);
    }

    @Override
    public Map<String, Object> clientConfig() {
        return Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, kafka.getBootstrapServers());
    }

    @Override
    public int transactionVersion() {
        return 2;
    }

    @Override
    public Optional<BrokerControl> brokers() {
        return Optional.of(new BrokerControl() {
            @Override
            public void pause() {
                kafka.getDockerClient()
                        .pauseContainerCmd(kafka.getContainerId())
                        .exec();
            }

            @Override
            public void resume() {
                kafka.getDockerClient()
                        .unpauseContainerCmd(kafka.getContainerId())
                        .exec();
            }
        });
    }

    @Override
    public void close() {
        kafka.close();
    }
}
