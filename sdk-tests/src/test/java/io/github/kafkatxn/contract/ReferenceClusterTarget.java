package io.github.kafkatxn.contract;

import io.github.kafkatxn.cluster.ClusterSettings;
import io.github.kafkatxn.cluster.ReferenceCluster;
import java.util.Map;
import java.util.Optional;

/** The reference cluster, one node. */
record ReferenceClusterTarget(ReferenceCluster cluster, int transactionVersion) implements KafkaTarget {

    static ReferenceClusterTarget start(int transactionVersion) {
        // As the shared Apache Kafka of these tests has it.
        ClusterSettings settings = ClusterSettings.builder()
                .transactionVersion(transactionVersion)
                .nodeProperty("auto.create.topics.enable", false)
                .build();
        return new ReferenceClusterTarget(ReferenceCluster.start(settings), transactionVersion);
    }

    @Override
    public Map<String, Object> clientConfig() {
        return Map.of("bootstrap.servers", cluster.bootstrapServers());
    }

    @Override
    public Optional<BrokerControl> brokers() {
        return Optional.of(new BrokerControl() {
            @Override
            public void pause() {
                cluster.pauseNode(0);
            }

            @Override
            public void resume() {
                cluster.resumeNode(0);
            }
        });
    }
}
