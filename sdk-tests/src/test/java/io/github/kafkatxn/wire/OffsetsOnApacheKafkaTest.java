package io.github.kafkatxn.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.apache.ApacheKafka;
import io.github.kafkatxn.apache.ApacheKafkaSettings;
import io.github.kafkatxn.internal.wire.Deadline;
import io.github.kafkatxn.internal.wire.MissingCapabilityException;
import io.github.kafkatxn.internal.wire.ShareBatch;
import io.github.kafkatxn.internal.wire.ShareMember;
import io.github.kafkatxn.internal.wire.TransactionalIdentity;
import io.github.kafkatxn.internal.wire.TransactionalShareAcknowledgements;
import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicIdException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Offsets by topic id on a real broker: that it gets ids, with every kind of connection, and what its own client does.
 */
@Timeout(240)
class OffsetsOnApacheKafkaTest {
    private final String in = "in-" + UUID.randomUUID();
    private final TopicPartition partition = new TopicPartition(in, 0);
    private final List<TransactionListener.OffsetsPath> paths = new ArrayList<>();

    /** Only a request that names a topic by its id leaves the id in the stored offset. */
    @Test
    void theBrokerStoresTheTopicId() {
        Map<String, Object> config = ApacheKafka.shared(2).adminConfig();
        Uuid id = createTopic(config);
        commit(config);

        assertThat(paths).containsExactly(TransactionListener.OffsetsPath.TOPIC_IDS);
        assertThat(storedOffsetsNaming(config, id)).isPositive();
    }

    /**
     * The client's own call never comes back from a topic that was exchanged, nor does its abort; ours does at once.
     */
    @Test
    void aRecreatedTopicHoldsUpTheClientAndNotThisProducer() {
        Map<String, Object> config = ApacheKafka.shared(2).adminConfig();
        createTopic(config);
        Map<TopicPartition, OffsetAndMetadata> offsets = Map.of(partition, new OffsetAndMetadata(5));
        ConsumerGroupMetadata group = group("group-" + UUID.randomUUID());
        Map<String, Object> ofClient = new HashMap<>(config);
        ofClient.put("transactional.id", "client-" + UUID.randomUUID());
        ofClient.put("max.block.ms", 3_000);
        KafkaProducer<String, String> client =
                new KafkaProducer<>(ofClient, new StringSerializer(), new StringSerializer());
        // The deadlines are longer than the test may take: an answer means that they were not waited for.
        try (TransactionalProducer<String, String> producer = producer(config, Duration.ofMinutes(30))) {
            client.initTransactions();
            client.beginTransaction();
            client.sendOffsetsToTransaction(offsets, group);
            client.commitTransaction();
            Transaction<String, String> first = producer.beginTransaction().orElseThrow();
            first.sendOffsetsToTransaction(offsets, group).orElseThrow();
            first.commit().orElseThrow();
            recreateTopic(config);

            client.beginTransaction();
            assertThatThrownBy(() -> client.sendOffsetsToTransaction(offsets, group))
                    .isInstanceOf(TimeoutException.class);
            assertThatThrownBy(client::abortTransaction).isInstanceOf(TimeoutException.class);

            Transaction<String, String> next = producer.beginTransaction().orElseThrow();
            TxnError error =
                    next.sendOffsetsToTransaction(offsets, group).error().orElseThrow();
            assertThat(error.action()).isEqualTo(Action.ABORT_AND_REPLAY);
            assertThat(error.cause())
                    .isInstanceOf(UnknownTopicIdException.class)
                    .hasMessageContaining("topic recreated");
            next.abort().orElseThrow();
            Transaction<String, String> ofTheNewTopic =
                    producer.beginTransaction().orElseThrow();
            ofTheNewTopic
                    .sendOffsetsToTransaction(Map.of(partition, new OffsetAndMetadata(0)), group)
                    .orElseThrow();
            ofTheNewTopic.commit().orElseThrow();
        } finally {
            client.close(Duration.ZERO);
        }
    }

    @Test
    void withLogin() {
        try (ApacheKafka kafka = withScram().start()) {
            withPlainAndScram(kafka.adminConfig());
        }
    }

    @Test
    void withTls(@TempDir Path folder) throws IOException, InterruptedException {
        try (ApacheKafka kafka = withTls(ApacheKafka.builder().quickStart(), folder)
                .brokerProperty("listener.security.protocol.map", "CLIENT:SSL,CONTROLLER:PLAINTEXT")
                .clientProperty("security.protocol", "SSL")
                .start()) {
            Uuid id = createTopic(kafka.adminConfig());
            commit(kafka.adminConfig());
            askALeader(kafka.adminConfig(), id);
        }
    }

    @Test
    void withLoginOverTls(@TempDir Path folder) throws IOException, InterruptedException {
        try (ApacheKafka kafka = withTls(withScram(), folder)
                .brokerProperty("listener.security.protocol.map", "CLIENT:SASL_SSL,CONTROLLER:SASL_PLAINTEXT")
                .clientProperty("security.protocol", "SASL_SSL")
                .start()) {
            withPlainAndScram(kafka.adminConfig());
        }
    }

    private static ApacheKafkaSettings.Builder withScram() {
        return ApacheKafka.builder()
                .quickStart()
                .authorization()
                .brokerProperty("listener.name.client.sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-256")
                .brokerProperty(
                        "listener.name.client.scram-sha-256.sasl.jaas.config",
                        "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    }

    private static ApacheKafkaSettings.Builder withTls(ApacheKafkaSettings.Builder kafka, Path folder)
            throws IOException, InterruptedException {
        String store = TestKeyStore.in(folder);
        return kafka.brokerProperty("ssl.keystore.location", store)
                .brokerProperty("ssl.keystore.password", TestKeyStore.PASSWORD)
                .brokerProperty("ssl.truststore.location", store)
                .brokerProperty("ssl.truststore.password", TestKeyStore.PASSWORD)
                .clientProperty("ssl.truststore.location", store)
                .clientProperty("ssl.truststore.password", TestKeyStore.PASSWORD);
    }

    private void withPlainAndScram(Map<String, Object> plain) {
        Uuid id = createTopic(plain);
        commit(plain);
        askALeader(plain, id);
        try (Admin admin = Admin.create(plain)) {
            get(admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                            "admin", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4_096), "scrambled")))
                    .all());
        }
        Map<String, Object> scram = new HashMap<>(plain);
        scram.put("sasl.mechanism", "SCRAM-SHA-256");
        scram.put(
                "sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"admin\""
                        + " password=\"scrambled\";");
        commit(scram);
        askALeader(scram, id);
        assertThat(paths).containsExactly(TransactionListener.OffsetsPath.TOPIC_IDS);
    }

    private void commit(Map<String, Object> config) {
        String group = "group-" + UUID.randomUUID();
        try (TransactionalProducer<String, String> producer = producer(config, Duration.ofSeconds(30))) {
            for (int i = 1; i <= 3; i++) {
                Transaction<String, String> transaction =
                        producer.beginTransaction().orElseThrow();
                transaction
                        .sendOffsetsToTransaction(Map.of(partition, new OffsetAndMetadata(i)), group(group))
                        .orElseThrow();
                transaction.commit().orElseThrow();
            }
        }
        try (Admin admin = Admin.create(config)) {
            Awaitility.await()
                    .untilAsserted(() -> assertThat(
                                    get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata()))
                            .containsEntry(partition, new OffsetAndMetadata(3)));
        }
    }

    /** Over a connection for share acknowledgements: that they are not to be had is its answer, so it has one. */
    private void askALeader(Map<String, Object> config, Uuid topicId) {
        Map<String, Object> ofProducer = new HashMap<>(config);
        ofProducer.put("transactional.id", "id");
        Deadline deadline = Deadline.in(Duration.ofSeconds(30));
        TransactionalShareAcknowledgements acknowledgements = new TransactionalShareAcknowledgements(ofProducer);
        try {
            assertThatThrownBy(() -> acknowledgements.send(
                            new TransactionalIdentity("id", 1, (short) 0),
                            new ShareMember("workers", "member", 1),
                            Map.of(new TopicIdPartition(topicId, partition), List.of(new ShareBatch(0, 0, List.of((byte)
                                    1)))),
                            deadline,
                            () -> {},
                            cause -> {}))
                    .isInstanceOf(MissingCapabilityException.class)
                    .hasMessageContaining("lacks API key 95");
        } finally {
            acknowledgements.close(deadline);
        }
    }

    private TransactionalProducer<String, String> producer(Map<String, Object> config, Duration callTimeout) {
        ProducerSettings settings = ProducerSettings.builder()
                .properties(config)
                .transactionalId("id-" + UUID.randomUUID())
                .callTimeout(callTimeout)
                .property("max.block.ms", callTimeout.toMillis())
                .listener(new TransactionListener() {
                    @Override
                    public void onOffsets(String transactionalId, OffsetsPath path) {
                        if (!paths.contains(path)) {
                            paths.add(path);
                        }
                    }
                })
                .build();
        TransactionalProducer<String, String> producer =
                TransactionalProducer.create(settings, StringSerializer::new, StringSerializer::new);
        return producer.init().orElseThrow();
    }

    private Uuid createTopic(Map<String, Object> config) {
        try (Admin admin = Admin.create(config)) {
            Uuid id = get(
                    admin.createTopics(List.of(new NewTopic(in, 1, (short) 1))).topicId(in));
            awaitTopic(admin, id);
            return id;
        }
    }

    private void recreateTopic(Map<String, Object> config) {
        try (Admin admin = Admin.create(config)) {
            get(admin.deleteTopics(List.of(in)).all());
            Awaitility.await().until(() -> !get(admin.listTopics().names()).contains(in));
        }
        createTopic(config);
    }

    private void awaitTopic(Admin admin, Uuid id) {
        Awaitility.await()
                .ignoreExceptions()
                .until(() -> get(admin.describeTopics(List.of(in))
                                .topicNameValues()
                                .values()
                                .iterator()
                                .next())
                        .topicId()
                        .equals(id));
    }

    /** The log of the group coordinators, as far as it mentions a topic's id. */
    private static long storedOffsetsNaming(Map<String, Object> config, Uuid id) {
        Map<String, Object> ofConsumer = new HashMap<>(config);
        ofConsumer.put("exclude.internal.topics", false);
        byte[] bytes = ByteBuffer.allocate(16)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
        long found = 0;
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(ofConsumer, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> all = consumer.partitionsFor("__consumer_offsets").stream()
                    .map(info -> new TopicPartition(info.topic(), info.partition()))
                    .toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            while (all.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
                for (ConsumerRecord<byte[], byte[]> stored : consumer.poll(Duration.ofMillis(200))) {
                    found += contains(stored.value(), bytes) ? 1 : 0;
                }
            }
        }
        return found;
    }

    @SuppressWarnings("removal") // The only way to say so without a consumer.
    private static ConsumerGroupMetadata group(String id) {
        return new ConsumerGroupMetadata(id);
    }

    private static boolean contains(byte[] value, byte[] part) {
        for (int start = 0; value != null && start + part.length <= value.length; start++) {
            if (ByteBuffer.wrap(value, start, part.length).equals(ByteBuffer.wrap(part))) {
                return true;
            }
        }
        return false;
    }

    private static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
