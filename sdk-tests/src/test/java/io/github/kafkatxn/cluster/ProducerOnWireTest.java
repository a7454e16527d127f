package io.github.kafkatxn.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.fault.LoggedRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scenario C43: what an unmodified producer sends when its transactions follow each other at once, when they are empty,
 * and under which level of {@code transaction.version}.
 */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // Whether a record was delivered comes with the commit.
class ProducerOnWireTest {
    private static final String ID = "id";
    private static final String TOPIC = "t";
    private static final String BAD = "bad";

    private @Nullable ReferenceCluster running;

    @AfterEach
    void end() {
        if (running != null) {
            running.faults().verifyUsed();
            running.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aSendRightAfterACommitWaitsForTheMarkers(int transactionVersion) throws Exception {
        ReferenceCluster cluster = start(transactionVersion);
        FaultRule markers = cluster.faults().onTransaction(ID).holdBeforeMarkers();
        try (var producer = producer(cluster)) {
            producer.beginTransaction();
            send(producer, "first");
            producer.commitTransaction();
            markers.awaitHit();

            producer.beginTransaction();
            Future<RecordMetadata> second = send(producer, "second");
            Awaitility.await().until(() -> isToldToWait(cluster));
            assertThat(second.isDone()).isFalse();
            markers.release();
            second.get();
            assertThat(read(cluster)).containsExactly("first");
            producer.abortTransaction();

            producer.beginTransaction();
            send(producer, "third");
            producer.commitTransaction();
        }
        assertThat(read(cluster)).containsExactly("first", "third");
        assertThat(cluster.requests().on(ApiKeys.INIT_PRODUCER_ID).count()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void anEmptyTransactionIsNotEndedOnTheWire(int transactionVersion) throws Exception {
        ReferenceCluster cluster = start(transactionVersion);
        try (var producer = producer(cluster)) {
            producer.beginTransaction();
            producer.commitTransaction();
            producer.beginTransaction();
            producer.abortTransaction();
            assertThat(ends(cluster)).isZero();

            producer.beginTransaction();
            send(producer, "one");
            producer.commitTransaction();
            assertThat(ends(cluster)).isEqualTo(1);

            producer.beginTransaction();
            producer.abortTransaction();
            producer.beginTransaction();
            producer.commitTransaction();
            assertThat(ends(cluster)).isEqualTo(1);

            producer.beginTransaction();
            send(producer, "two");
            producer.commitTransaction();
            assertThat(ends(cluster)).isEqualTo(2);
        }
        assertThat(read(cluster)).containsExactly("one", "two");
        assertThat(cluster.requests().on(ApiKeys.INIT_PRODUCER_ID).count()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aSendThatNeverLeavesLeavesNothingToEnd(int transactionVersion) throws Exception {
        ReferenceCluster cluster = start(transactionVersion);
        try (var producer = producer(cluster)) {
            producer.beginTransaction();
            refuseTooLarge(producer);
            producer.abortTransaction();

            producer.beginTransaction();
            refuseTooLarge(producer);
            assertThatThrownBy(producer::commitTransaction).isInstanceOf(KafkaException.class);
            producer.abortTransaction();

            producer.beginTransaction();
            assertThatThrownBy(() -> send(producer, BAD)).isInstanceOf(SerializationException.class);
            producer.abortTransaction();

            // The client has nothing against this one, which is why the SDK has.
            producer.beginTransaction();
            assertThatThrownBy(() -> send(producer, BAD)).isInstanceOf(SerializationException.class);
            producer.commitTransaction();
            assertThat(ends(cluster)).isZero();
            assertThat(cluster.requests().on(ApiKeys.PRODUCE).count()).isZero();

            producer.beginTransaction();
            send(producer, "good");
            producer.commitTransaction();
            assertThat(ends(cluster)).isEqualTo(1);
        }
        assertThat(read(cluster)).containsExactly("good");
    }

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
        var features = admin.describeFeatures().featureMetadata().get().finalizedFeatures();
        assertThat(requireNonNull(features.get("transaction.version")).maxVersionLevel())
                .isEqualTo((short) level);
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

    /** Whether the coordinator, or the leader that has asked it, has said that the last one is not complete yet. */
    private static boolean isToldToWait(ReferenceCluster cluster) {
        return cluster.requests().onAny().fromClients().answered().list().stream()
                .flatMap(request -> request.answer().stream())
                .anyMatch(answer -> (answer instanceof ProduceResponseData produced
                                && DataRequests.only(produced).errorCode() == Errors.CONCURRENT_TRANSACTIONS.code())
                        || (answer instanceof AddPartitionsToTxnResponseData added
                                && added.resultsByTopicV3AndBelow().stream()
                                        .flatMap(topic -> topic.resultsByPartition().stream())
                                        .anyMatch(partition -> partition.partitionErrorCode()
                                                == Errors.CONCURRENT_TRANSACTIONS.code())));
    }

    private static int ends(ReferenceCluster cluster) {
        return cluster.requests().on(ApiKeys.END_TXN).count();
    }

    private static void refuseTooLarge(KafkaProducer<String, String> producer) {
        Future<RecordMetadata> refused = send(producer, "x".repeat(2_000));
        assertThatThrownBy(refused::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RecordTooLargeException.class);
    }

    private static Future<RecordMetadata> send(KafkaProducer<String, String> producer, String value) {
        return producer.send(new ProducerRecord<>(TOPIC, 0, null, value));
    }

    private ReferenceCluster start(int transactionVersion) {
        running = ReferenceCluster.start(
                ClusterSettings.builder().transactionVersion(transactionVersion).build());
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", running.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
        return running;
    }

    private static KafkaProducer<String, String> producer(ReferenceCluster cluster) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                cluster.bootstrapServers(),
                "transactional.id",
                ID,
                "max.request.size",
                1_000,
                "retry.backoff.ms",
                5);
        KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer() {
                    @Override
                    public byte[] serialize(String topic, String value) {
                        if (value.equals(BAD)) {
                            throw new SerializationException("refused");
                        }
                        return super.serialize(topic, value);
                    }
                });
        producer.initTransactions();
        return producer;
    }

    /** What is committed. */
    private static List<String> read(ReferenceCluster cluster) {
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        List<String> values = new ArrayList<>();
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                cluster.bootstrapServers(),
                "isolation.level",
                "read_committed",
                "fetch.max.wait.ms",
                10);
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .until(
                        () -> cluster.state()
                                .transaction(ID)
                                .orElseThrow()
                                .state()
                                .name(),
                        state -> !state.startsWith("PREPARE"));
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(record.value()));
            }
        }
        return values;
    }
}
