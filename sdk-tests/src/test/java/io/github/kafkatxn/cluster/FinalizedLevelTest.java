package io.github.kafkatxn.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.fault.LoggedRequest;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scenario C43: the protocol of an unmodified producer is that of the finalized level of {@code transaction.version}.
 */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // Whether a record was delivered comes with the commit.
class FinalizedLevelTest extends OneProducer {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void theProtocolIsThatOfTheFinalizedLevel(int transactionVersion) {
        ReferenceCluster cluster = start(transactionVersion);
        try (var producer = producer(cluster)) {
            assertThat(protocol(cluster, producer)).isEqualTo(transactionVersion == 2 ? "2" : "1");
        }
    }

    @Test
    void anotherLevelIsTakenUpWithTheNextTransaction() throws Exception {
        ReferenceCluster cluster = start(1);
        try (var producer = producer(cluster);
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            assertThat(protocol(cluster, producer)).isEqualTo("1");

            cluster.requests().clear();
            producer.beginTransaction();
            send(producer, "begun under 1").get();
            finalizeLevel(admin, 2, UpgradeType.UPGRADE);
            sendOnANewConnection(cluster, producer, "goes on under 1");
            producer.commitTransaction();
            assertThat(protocolOf(cluster)).as("a transaction that was open").isEqualTo("1");
            assertThat(protocol(cluster, producer)).as("the next one").isEqualTo("2");

            cluster.requests().clear();
            producer.beginTransaction();
            send(producer, "begun under 2").get();
            finalizeLevel(admin, 1, UpgradeType.SAFE_DOWNGRADE);
            sendOnANewConnection(cluster, producer, "goes on under 2");
            producer.commitTransaction();
            assertThat(protocolOf(cluster)).as("a transaction that was open").isEqualTo("2");
            assertThat(protocol(cluster, producer)).as("the next one").isEqualTo("1");
        }
        assertThat(read(cluster))
                .containsExactly(
                        "whole",
                        "begun under 1",
                        "goes on under 1",
                        "whole",
                        "begun under 2",
                        "goes on under 2",
                        "whole");
        assertThat(cluster.state().transaction(ID).orElseThrow().state().name()).contains("COMMIT");
    }

    @Test
    void onlyWhoMayAlterTheClusterFinalizesAnotherLevel() throws Exception {
        ClusterSettings settings = ClusterSettings.builder()
                .transactionVersion(1)
                .superUser("root", "secret")
                .user("somebody", "secret")
                .build();
        try (ReferenceCluster cluster = ReferenceCluster.start(settings);
                Admin root = Admin.create(login(cluster, "root"));
                Admin somebody = Admin.create(login(cluster, "somebody"))) {
            assertThatThrownBy(() -> finalizeLevel(somebody, 2, UpgradeType.UPGRADE))
                    .hasCauseInstanceOf(ClusterAuthorizationException.class);
            assertThat(level(root)).isEqualTo((short) 1);

            root.createAcls(List.of(new AclBinding(
                            new ResourcePattern(ResourceType.CLUSTER, "kafka-cluster", PatternType.LITERAL),
                            new AccessControlEntry("User:somebody", "*", AclOperation.ALTER, AclPermissionType.ALLOW))))
                    .all()
                    .get();
            finalizeLevel(somebody, 2, UpgradeType.UPGRADE);
        }
    }

    private static Map<String, Object> login(ReferenceCluster cluster, String user) {
        return Map.of(
                "bootstrap.servers",
                cluster.bootstrapServers(),
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + user
                        + "\" password=\"secret\";");
    }

    /** A new level comes to a client with the answer to ApiVersions, which a new connection begins with. */
    private static void sendOnANewConnection(
            ReferenceCluster cluster, KafkaProducer<String, String> producer, String value) throws Exception {
        FaultRule lost = cluster.faults().on(ApiKeys.PRODUCE).closeAfterHandling();
        send(producer, value).get();
        assertThat(lost.hits()).isEqualTo(1);
    }

    private static void finalizeLevel(Admin admin, int level, UpgradeType type) throws Exception {
        FeatureUpdate update = new FeatureUpdate((short) level, type);
        admin.updateFeatures(Map.of("transaction.version", update), new UpdateFeaturesOptions())
                .all()
                .get();
        assertThat(level(admin)).isEqualTo((short) level);
    }

    private static short level(Admin admin) throws Exception {
        var features = admin.describeFeatures().featureMetadata().get().finalizedFeatures();
        return requireNonNull(features.get("transaction.version")).maxVersionLevel();
    }

    /** Which protocol one more transaction is in. */
    private static String protocol(ReferenceCluster cluster, KafkaProducer<String, String> producer) {
        cluster.requests().clear();
        producer.beginTransaction();
        send(producer, "whole");
        producer.commitTransaction();
        return protocolOf(cluster);
    }

    /** By the requests in the log: those of version 2 add no partitions and have versions that say so. */
    private static String protocolOf(ReferenceCluster cluster) {
        boolean adds = cluster.requests()
                        .on(ApiKeys.ADD_PARTITIONS_TO_TXN)
                        .fromClients()
                        .count()
                > 0;
        boolean produces = versions(cluster, ApiKeys.PRODUCE).allMatch(version -> version >= 12);
        boolean ends = versions(cluster, ApiKeys.END_TXN).allMatch(version -> version == 5);
        if (!adds && produces && ends) {
            return "2";
        }
        boolean old = adds
                && versions(cluster, ApiKeys.PRODUCE).allMatch(version -> version <= 11)
                && versions(cluster, ApiKeys.END_TXN).allMatch(version -> version <= 4);
        return old ? "1" : "mixed: " + cluster.requests().list();
    }

    private static Stream<Short> versions(ReferenceCluster cluster, ApiKeys key) {
        List<LoggedRequest> requests = cluster.requests().on(key).fromClients().list();
        assertThat(requests).isNotEmpty();
        return requests.stream().map(LoggedRequest::version);
    }
}
