package io.github.kafkatxn.contract;

import io.github.kafkatxn.cluster.ClusterSettings;
import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.fault.FaultRule;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.protocol.ApiKeys;

/** A reference cluster of three nodes. */
record ReferenceClusterTarget(ReferenceCluster cluster, int transactionVersion, boolean withAcls)
        implements KafkaTarget, AutoCloseable {
    private static final int NODES = 3;
    private static final String ADMIN = "admin";
    private static final String USER = "alice";

    static ReferenceClusterTarget start(int transactionVersion) {
        return new ReferenceClusterTarget(
                ReferenceCluster.start(settings(transactionVersion).build()), transactionVersion, false);
    }

    /** With transactions of version 2, and share groups of a version. */
    static ReferenceClusterTarget startWithShareVersion(int shareVersion) {
        return new ReferenceClusterTarget(
                ReferenceCluster.start(settings(2).shareVersion(shareVersion).build()), 2, false);
    }

    /** Everybody logs in, and the user of the tests has no right but what ACLs give. */
    static ReferenceClusterTarget startWithAcls(int transactionVersion) {
        ClusterSettings settings = settings(transactionVersion)
                .superUser(ADMIN, ADMIN + "-secret")
                .user(USER, USER + "-secret")
                .build();
        return new ReferenceClusterTarget(ReferenceCluster.start(settings), transactionVersion, true);
    }

    private static ClusterSettings.Builder settings(int transactionVersion) {
        return ClusterSettings.builder()
                .nodes(NODES)
                .transactionVersion(transactionVersion)
                .nodeProperty("auto.create.topics.enable", false)
                .nodeProperty("group.consumer.session.timeout.ms", 10_000);
    }

    @Override
    public Map<String, Object> clientConfig() {
        return config(USER);
    }

    @Override
    public Map<String, Object> adminConfig() {
        return config(ADMIN);
    }

    @Override
    public Optional<String> principal() {
        return withAcls ? Optional.of("User:" + USER) : Optional.empty();
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
    public Optional<Line> line() {
        return Optional.of(new Line() {
            @Override
            public Map<String, Object> clientConfig() {
                return ReferenceClusterTarget.this.clientConfig();
            }

            @Override
            public KeptAnswers keepAnswers(ApiKeys api, String clientId) {
                FaultRule held =
                        cluster.faults().on(api).clientId(clientId).everyTime().holdAnswer();
                return new KeptAnswers() {
                    @Override
                    public void await() {
                        held.awaitHit();
                    }

                    @Override
                    public void close() {
                        held.remove();
                    }
                };
            }
        });
    }

    @Override
    public void close() {
        cluster.close();
    }

    private Map<String, Object> config(String user) {
        String servers = cluster.bootstrapServers();
        if (!withAcls) {
            return Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, servers);
        }
        return Map.of(
                CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
                servers,
                CommonClientConfigs.SECURITY_PROTOCOL_CONFIG,
                "SASL_PLAINTEXT",
                SaslConfigs.SASL_MECHANISM,
                "PLAIN",
                SaslConfigs.SASL_JAAS_CONFIG,
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + user + "\" password=\""
                        + user + "-secret\";");
    }
}
