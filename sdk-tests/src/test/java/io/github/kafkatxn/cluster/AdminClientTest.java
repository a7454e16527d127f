package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicaAssignmentException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The admin client of kafka-clients, unmodified, against a reference cluster of three nodes. */
@Timeout(30)
class AdminClientTest {

    @Test
    void topicsAreCreatedDescribedAndDeleted() throws Exception {
        try (ReferenceCluster cluster = ReferenceCluster.start(
                        ClusterSettings.builder().nodes(3).build());
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            get(admin.createTopics(List.of(new NewTopic("orders", 6, (short) 2)))
                    .all());

            TopicDescription description = get(admin.describeTopics(List.of("orders"))
                            .allTopicNames())
                    .values()
                    .iterator()
                    .next();

            assertThat(description.partitions()).hasSize(6);
            assertThat(description.partitions().stream()
                            .map(partition -> partition.leader().id()))
                    .containsOnly(0, 1, 2);
            assertThat(get(admin.listTopics().names())).isEqualTo(Set.of("orders"));
            assertThatThrownBy(() -> get(admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1)))
                            .all()))
                    .hasCauseInstanceOf(TopicExistsException.class);
            assertThatThrownBy(() -> get(admin.createTopics(List.of(new NewTopic("no/name", 1, (short) 1)))
                            .all()))
                    .hasCauseInstanceOf(InvalidTopicException.class);

            get(admin.deleteTopics(List.of("orders")).all());

            assertThatThrownBy(() -> get(admin.deleteTopics(List.of("orders")).all()))
                    .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
        }
    }

    @Test
    void aStoppedNodeHandsItsPartitionsToTheNextReplicaAndIsFoundAgainOnItsPort() throws Exception {
        try (ReferenceCluster cluster = ReferenceCluster.start(
                        ClusterSettings.builder().nodes(3).build());
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            get(admin.createTopics(List.of(new NewTopic("orders", Optional.of(1), Optional.of((short) 3))))
                    .all());
            TopicPartition partition = new TopicPartition("orders", 0);
            int leader = cluster.leader(partition);

            cluster.stopNode(leader);

            assertThat(cluster.leader(partition)).isNotEqualTo(leader);
            String addresses = cluster.bootstrapServers();
            cluster.startNode(leader);
            assertThat(cluster.bootstrapServers()).isEqualTo(addresses);
            assertThat(get(admin.describeCluster().nodes()).stream().map(Node::id))
                    .contains(leader);
        }
    }

    @Test
    void configurationIsCheckedChangedAndDescribed() throws Exception {
        try (ReferenceCluster cluster = ReferenceCluster.start();
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            get(admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1)))
                    .all());
            ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "orders");

            get(alter(admin, topic, "max.message.bytes", "77"));
            assertThatThrownBy(() -> get(alter(admin, topic, "max.message.bytes", "many")))
                    .hasCauseInstanceOf(InvalidConfigurationException.class);
            assertThatThrownBy(() -> get(alter(admin, topic, "no.such.thing", "1")))
                    .hasCauseInstanceOf(InvalidConfigurationException.class);
            assertThatThrownBy(() -> get(alter(
                            admin, new ConfigResource(ConfigResource.Type.TOPIC, "none"), "max.message.bytes", "1")))
                    .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);

            Config described = get(admin.describeConfigs(List.of(topic)).all())
                    .values()
                    .iterator()
                    .next();
            assertThat(described.get("max.message.bytes").value()).isEqualTo("77");
            assertThat(described.get("max.message.bytes").isDefault()).isFalse();
            assertThat(described.get("cleanup.policy").value()).isEqualTo("delete");
            assertThat(described.get("cleanup.policy").isDefault()).isTrue();
        }
    }

    @Test
    void partitionsAreAddedAndNeverTakenAway() throws Exception {
        try (ReferenceCluster cluster = ReferenceCluster.start();
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            get(admin.createTopics(List.of(new NewTopic("orders", 2, (short) 1)))
                    .all());

            get(admin.createPartitions(Map.of("orders", NewPartitions.increaseTo(5)))
                    .all());

            assertThat(cluster.leader(new TopicPartition("orders", 4))).isZero();
            assertThatThrownBy(() -> get(admin.createPartitions(Map.of("orders", NewPartitions.increaseTo(4)))
                            .all()))
                    .hasCauseInstanceOf(InvalidPartitionsException.class);
            assertThatThrownBy(() -> get(admin.createPartitions(
                                    Map.of("orders", NewPartitions.increaseTo(6, List.of(List.of(9)))))
                            .all()))
                    .hasCauseInstanceOf(InvalidReplicaAssignmentException.class);
        }
    }

    private static KafkaFuture<Void> alter(Admin admin, ConfigResource resource, String name, String value) {
        AlterConfigOp set = new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
        return admin.incrementalAlterConfigs(Map.of(resource, List.of(set))).all();
    }

    private static <T> T get(KafkaFuture<T> future) throws Exception {
        return future.get(10, TimeUnit.SECONDS);
    }
}
