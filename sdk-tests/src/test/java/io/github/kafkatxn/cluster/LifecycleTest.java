package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes start, stop, start again, stand still; of a closed cluster nothing is left. */
@Timeout(60)
class LifecycleTest {
    private static final int NODES = 3;

    private final Set<Thread> before = clusterThreads();

    @Test
    void ofAClosedClusterNoThreadAndNoSocketIsLeft() {
        ReferenceCluster cluster = start();
        List<Integer> ports = ports(cluster);
        cluster.stopNode(1);
        cluster.startNode(1);
        cluster.pauseNode(2);
        assertThat(startedThreads()).hasSize(NODES + 1);

        cluster.close();
        cluster.close();

        assertThat(startedThreads()).isEmpty();
        assertThat(ports).hasSize(NODES).noneMatch(LifecycleTest::isOpen);
        assertThatThrownBy(() -> cluster.startNode(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aStoppedNodeHasNoSocketAndGetsItsPortAndItsLogsBack() throws Exception {
        try (ReferenceCluster cluster = start();
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            List<Integer> ports = ports(cluster);
            create(admin, "orders", 1);
            TopicPartition partition = new TopicPartition("orders", 0);
            int leader = cluster.leader(partition);
            send(cluster, "orders", "first");

            cluster.stopNode(leader);

            assertThat(isOpen(ports.get(leader))).isFalse();
            assertThat(cluster.leader(partition)).isEqualTo(-1);
            assertThatThrownBy(() -> cluster.stopNode(leader)).isInstanceOf(IllegalStateException.class);
            cluster.startNode(leader);
            assertThatThrownBy(() -> cluster.startNode(leader)).isInstanceOf(IllegalStateException.class);
            assertThat(ports(cluster)).isEqualTo(ports);
            assertThat(cluster.leader(partition)).isEqualTo(leader);
            assertThat(send(cluster, "orders", "second")).isEqualTo(1);
        }
    }

    @Test
    void leadersAndCoordinatorsMove() throws Exception {
        try (ReferenceCluster cluster = start();
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            create(admin, "orders", 1);
            commit(cluster, "orders", "job");
            int next = (cluster.leader(cluster.transactionPartition("job")) + 1) % NODES;

            cluster.moveTransactionCoordinator("job", next);
            cluster.moveLeader(new TopicPartition("orders", 0), next);

            commit(cluster, "orders", "job");
            assertThat(cluster.leader(cluster.transactionPartition("job"))).isEqualTo(next);
            assertThatThrownBy(() -> cluster.moveLeader(new TopicPartition("orders", 7), next))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> cluster.moveLeader(new TopicPartition("orders", 0), NODES))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Leader and coordinator on different nodes: the marker waits for the link. */
    @Test
    void aCutLinkHoldsBackWhatGoesOverItUntilItIsJoined() throws Exception {
        try (ReferenceCluster cluster = start();
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            create(admin, "orders", 1);
            commit(cluster, "orders", "job");
            int leader = cluster.leader(new TopicPartition("orders", 0));
            int coordinator = (leader + 1) % NODES;
            cluster.moveTransactionCoordinator("job", coordinator);
            try (KafkaProducer<String, String> producer = producer(cluster, Map.of("transactional.id", "job"))) {
                producer.initTransactions();
                producer.beginTransaction();
                producer.send(new ProducerRecord<>("orders", "b")).get(10, TimeUnit.SECONDS);
                cluster.cut(leader, coordinator);
                producer.commitTransaction();
                assertThat(abortable(admin)).isEqualTo(1);

                cluster.join(leader, coordinator);

                // The next transaction begins once the one before is complete.
                producer.beginTransaction();
                producer.send(new ProducerRecord<>("orders", "c")).get(10, TimeUnit.SECONDS);
                producer.commitTransaction();
            }
        }
    }

    private static long abortable(Admin admin) throws Exception {
        return admin
                .describeProducers(List.of(new TopicPartition("orders", 0)))
                .all()
                .get(10, TimeUnit.SECONDS)
                .values()
                .stream()
                .flatMap(state -> state.activeProducers().stream())
                .filter(producer -> producer.currentTransactionStartOffset().isPresent())
                .count();
    }

    private static ReferenceCluster start() {
        return ReferenceCluster.start(ClusterSettings.builder().nodes(NODES).build());
    }

    private static void create(Admin admin, String topic, int partitions) throws Exception {
        admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                .all()
                .get(10, TimeUnit.SECONDS);
    }

    private static long send(ReferenceCluster cluster, String topic, String value) throws Exception {
        try (KafkaProducer<String, String> producer = producer(cluster, Map.of())) {
            return producer.send(new ProducerRecord<>(topic, value))
                    .get(20, TimeUnit.SECONDS)
                    .offset();
        }
    }

    private static void commit(ReferenceCluster cluster, String topic, String id) {
        try (KafkaProducer<String, String> producer = producer(cluster, Map.of("transactional.id", id))) {
            producer.initTransactions();
            producer.beginTransaction();
            var unused = producer.send(new ProducerRecord<>(topic, "value"));
            producer.commitTransaction();
        }
    }

    private static KafkaProducer<String, String> producer(ReferenceCluster cluster, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap.servers", cluster.bootstrapServers());
        return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
    }

    private static List<Integer> ports(ReferenceCluster cluster) {
        return Arrays.stream(cluster.bootstrapServers().split(","))
                .map(address -> Integer.valueOf(address.substring(address.indexOf(':') + 1)))
                .toList();
    }

    private static boolean isOpen(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private Set<Thread> startedThreads() {
        Set<Thread> threads = clusterThreads();
        threads.removeAll(before);
        return threads;
    }

    private static Set<Thread> clusterThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("reference-cluster-"))
                .collect(Collectors.toSet());
    }
}
