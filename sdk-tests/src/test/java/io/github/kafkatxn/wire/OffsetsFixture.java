package io.github.kafkatxn.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.fault.LoggedRequest;
import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import io.github.kafkatxn.result.TxnResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;

/** A producer that sends offsets of the topics {@code in} and {@code other} on a reference cluster. */
final class OffsetsFixture implements AutoCloseable {
    static final String GROUP = "group";
    static final TopicPartition IN = new TopicPartition("in", 0);
    static final TopicPartition IN_1 = new TopicPartition("in", 1);
    static final TopicPartition OTHER = new TopicPartition("other", 0);

    private final List<TransactionListener.OffsetsPath> paths = new ArrayList<>();
    private final List<Throwable> retries = new ArrayList<>();
    private Runnable whenRetried = () -> {};
    final ReferenceCluster cluster;
    final Admin admin;
    final TransactionalProducer<String, String> producer;

    OffsetsFixture(ReferenceCluster cluster) {
        this(cluster, Duration.ofSeconds(10));
    }

    /** With calls that give up after a while. */
    OffsetsFixture(ReferenceCluster cluster, Duration callTimeout) {
        this(cluster, callTimeout, Map.of());
    }

    /** With properties of the producer. */
    OffsetsFixture(ReferenceCluster cluster, Duration callTimeout, Map<String, Object> properties) {
        this.cluster = cluster;
        this.admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
        createTopic("in", 2);
        createTopic("other", 1);
        createTopic("out", 1);
        committed(IN); // The first question to a group makes the topic of the coordinators, which takes a moment.
        ProducerSettings settings = ProducerSettings.builder()
                .properties(properties)
                .bootstrapServers(cluster.bootstrapServers())
                .transactionalId("id")
                .callTimeout(callTimeout)
                .listener(new TransactionListener() {
                    @Override
                    public void onOffsets(String transactionalId, OffsetsPath path) {
                        paths.add(path);
                    }

                    @Override
                    public void onRetry(String transactionalId, Operation operation, Throwable cause) {
                        retries.add(cause);
                        whenRetried.run();
                    }
                })
                .build();
        producer = TransactionalProducer.create(settings, StringSerializer::new, StringSerializer::new);
        producer.init().orElseThrow();
    }

    void createTopic(String name, int partitions) {
        get(admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)))
                .all());
    }

    void deleteTopic(String name) {
        get(admin.deleteTopics(List.of(name)).all());
    }

    Uuid topicId(String name) {
        return get(admin.describeTopics(List.of(name))
                        .topicNameValues()
                        .values()
                        .iterator()
                        .next())
                .topicId();
    }

    Transaction<String, String> begin() {
        return producer.beginTransaction().orElseThrow();
    }

    static TxnResult<Map<TopicPartition, OffsetAndMetadata>> send(
            Transaction<String, String> transaction, TopicPartition... partitions) {
        return transaction.sendOffsetsToTransaction(offsets(5, partitions), group());
    }

    static TxnError refusal(Transaction<String, String> transaction, TopicPartition... partitions) {
        return send(transaction, partitions).error().orElseThrow();
    }

    /** A transaction with offsets, committed, and over: the next one does not meet it. */
    void commit(long offset, TopicPartition... partitions) {
        Transaction<String, String> transaction = begin();
        transaction
                .sendOffsetsToTransaction(offsets(offset, partitions), group())
                .orElseThrow();
        transaction.commit().orElseThrow();
        for (TopicPartition partition : partitions) {
            assertThat(committed(partition)).isEqualTo(offset);
        }
    }

    /** Of partitions that are assigned by hand. */
    @SuppressWarnings("removal") // The only way to say so without a consumer.
    static ConsumerGroupMetadata group() {
        return new ConsumerGroupMetadata(GROUP);
    }

    static Map<TopicPartition, OffsetAndMetadata> offsets(long offset, TopicPartition... partitions) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (TopicPartition partition : partitions) {
            offsets.put(partition, new OffsetAndMetadata(offset));
        }
        return offsets;
    }

    /** Nothing of it is committed, it can be aborted at once, and the same producer goes on. */
    void assertAbortsAndGoesOn(Transaction<String, String> transaction) {
        assertThat(transaction.commit().isSuccess()).as("commit").isFalse();
        assertThat(transaction.abort().isSuccess()).as("abort").isTrue();
        createTopic("next", 1);
        commit(77, new TopicPartition("next", 0));
    }

    /** The committed offset, -1 if there is none; waits until the end of its transaction has arrived. */
    long committed(TopicPartition partition) {
        OffsetAndMetadata offset = Awaitility.await()
                .until(() -> stableOffsets(partition), offsets -> offsets.containsKey(partition))
                .get(partition);
        return offset == null ? -1 : offset.offset();
    }

    /** Those that a transaction is open on are left out. */
    private Map<TopicPartition, OffsetAndMetadata> stableOffsets(TopicPartition partition) {
        return get(admin.listConsumerGroupOffsets(
                        Map.of(GROUP, new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(partition))),
                        new ListConsumerGroupOffsetsOptions().requireStable(true))
                .partitionsToOffsetAndMetadata(GROUP));
    }

    List<LoggedRequest> commits() {
        return cluster.requests().on(ApiKeys.TXN_OFFSET_COMMIT).list();
    }

    List<Integer> versions() {
        return commits().stream().map(request -> (int) request.version()).toList();
    }

    List<TransactionListener.OffsetsPath> paths() {
        return paths;
    }

    /** Runs on the thread that calls, within the call. */
    void whenRetried(Runnable action) {
        whenRetried = action;
    }

    List<Throwable> retries() {
        return retries;
    }

    static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        producer.close();
        admin.close();
    }

    /** What offsets are refused with if something happens between two attempts to send them. */
    TxnError refusalWhile(Transaction<String, String> transaction, Runnable event, TopicPartition... partitions) {
        FaultRule busy = cluster.faults()
                .on(ApiKeys.TXN_OFFSET_COMMIT)
                .topic(partitions[0].topic())
                .everyTime()
                .answerWith(Errors.CONCURRENT_TRANSACTIONS);
        CompletableFuture<Void> happened = CompletableFuture.runAsync(() -> {
            busy.awaitHits(2);
            event.run();
            busy.remove();
        });
        TxnError error = refusal(transaction, partitions);
        happened.join();
        return error;
    }
}
