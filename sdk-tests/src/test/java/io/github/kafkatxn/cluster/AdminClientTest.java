package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
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

    private static <T> T get(KafkaFuture<T> future) throws Exception {
        return future.get(10, TimeUnit.SECONDS);
    }
}
