package io.github.kafkatxn.contract;

import io.github.kafkatxn.cluster.ClusterSettings;
import io.github.kafkatxn.cluster.ReferenceCluster;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.CommonClientConfigs;

/** A reference cluster of three nodes. */
record ReferenceClusterTarget(ReferenceCluster cluster, int transactionVersion) implements KafkaTarget, AutoCloseable {
    private static final int NODES = 3;

    static ReferenceClusterTarget start(int transactionVersion) {
        ClusterSettings settings = ClusterSettings.builder()
                .nodes(NODES)
                .transactionVersion(transactionVersion)
                .nodeProperty("auto.create.topics.enable", false)
                .build();
        return new ReferenceClusterTarget(ReferenceCluster.start(settings), transactionVersion);
    }

    @Override
    public Map<String, Object> clientConfig() {
        return Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, cluster.bootstrapServers());
    }

    @Override
    public Optional<BrokerControl> brokers() {
        return Optional.of(new BrokerControl() {
            @Override
            public void pause() {
                for (int node = 0; node < NODES; node++) {
                    cluster.pauseNode(node);
                }
            }

            @Override
            public void resume() {
                for (int node = 0; node < NODES; node++) {
                    cluster.resumeNode(node);
                }
            }
        });
    }

    @Override
    public void close() {
        cluster.close();
    }
}
