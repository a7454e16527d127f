package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The ordinary work of unmodified clients: consume, transform, produce in transactions. */
@Timeout(60)
class ClientsTest {
    private static final int RECORDS = 100;

    /** Where the build puts the client's jar of a release before this one. */
    private static final Path OLD_CLIENT = Path.of("target", "old-client", "kafka-clients.jar");

    @ParameterizedTest(name = "{0} nodes, transaction version {1}, {2} protocol")
    @CsvSource({
        "1,2,consumer",
        "1,2,classic",
        "1,1,consumer",
        "1,1,classic",
        "1,0,classic",
        "3,2,consumer",
        "3,1,classic"
    })
    void recordsAreCopiedInTransactions(int nodes, int transactionVersion, String protocol) throws Exception {
        ClusterSettings settings = ClusterSettings.builder()
                .nodes(nodes)
                .transactionVersion(transactionVersion)
                .build();
        try (ReferenceCluster cluster = ReferenceCluster.start(settings)) {
            assertComplete(OrdinaryWork.run(cluster.bootstrapServers(), protocol, RECORDS));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"consumer", "classic"})
    void aClientOfAnOlderReleaseDoesTheSame(String protocol) throws Exception {
        ClusterSettings settings = ClusterSettings.builder().nodes(3).build();
        try (ReferenceCluster cluster = ReferenceCluster.start(settings);
                URLClassLoader old = new URLClassLoader(
                        new URL[] {
                            OLD_CLIENT.toUri().toURL(),
                            whereIs(OrdinaryWork.class),
                            whereIs(LoggerFactory.class),
                            whereIs(LoggerFactory.getILoggerFactory().getClass())
                        },
                        ClassLoader.getPlatformClassLoader())) {
            assertThat(version(old)).isNotEqualTo(version(OrdinaryWork.class.getClassLoader()));
            Method work =
                    old.loadClass(OrdinaryWork.class.getName()).getMethod("run", String.class, String.class, int.class);
            Thread thread = Thread.currentThread();
            ClassLoader before = thread.getContextClassLoader();
            thread.setContextClassLoader(old);
            try {
                assertComplete((Map<?, ?>) work.invoke(null, cluster.bootstrapServers(), protocol, RECORDS));
            } finally {
                thread.setContextClassLoader(before);
            }
        }
    }

    /** Where the producer adds the offsets to its transaction before it looks for the coordinator of the group. */
    @Test
    @SuppressWarnings("removal") // A group without a consumer.
    void theFirstToUseAGroupMayBeAProducer() throws Exception {
        ClusterSettings settings =
                ClusterSettings.builder().transactionVersion(1).build();
        try (ReferenceCluster cluster = ReferenceCluster.start(settings);
                Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic("in", 1, (short) 1))).all().get();
            Map<TopicPartition, OffsetAndMetadata> offsets =
                    Map.of(new TopicPartition("in", 0), new OffsetAndMetadata(5));
            Map<String, Object> producing =
                    Map.of("bootstrap.servers", cluster.bootstrapServers(), "transactional.id", "id");
            try (var producer = new KafkaProducer<>(producing, new StringSerializer(), new StringSerializer())) {
                producer.initTransactions();
                producer.beginTransaction();
                producer.sendOffsetsToTransaction(offsets, new ConsumerGroupMetadata("group"));
                producer.commitTransaction();
            }
            Awaitility.await()
                    .untilAsserted(() -> assertThat(admin.listConsumerGroupOffsets("group")
                                    .partitionsToOffsetAndMetadata()
                                    .get())
                            .isEqualTo(offsets));
        }
    }

    private static void assertComplete(Map<?, ?> result) {
        assertThat(result.get("copies"))
                .asInstanceOf(InstanceOfAssertFactories.list(String.class))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, RECORDS).mapToObj(i -> "value-" + i).toList());
        assertThat(result.get("left")).isEqualTo(0L);
    }

    private static String version(ClassLoader client) throws IOException {
        Properties properties = new Properties();
        try (InputStream resource = client.getResourceAsStream("kafka/kafka-version.properties")) {
            properties.load(resource);
        }
        return properties.getProperty("version");
    }

    private static URL whereIs(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }
}
