package io.github.kafkatxn.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ClusterSettings;
import io.github.kafkatxn.cluster.ManualClock;
import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.ShareRecord;
import io.github.kafkatxn.cluster.fault.Fault;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.fault.LoggedRequest;
import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;

/**
 * Work for share groups on three nodes that know KIP-1289: the topic {@code in} with three partitions, one at each
 * node, the topic {@code out}, and a producer. The test moves the clock of the nodes.
 */
final class ShareWork implements AutoCloseable {
    static final int TXN_SHARE_ACKNOWLEDGE = 95;
    static final String GROUP = "workers";
    static final String ID = "copier";
    static final TopicPartition IN = new TopicPartition("in", 0);
    static final TopicPartition IN_1 = new TopicPartition("in", 1);
    static final TopicPartition IN_2 = new TopicPartition("in", 2);
    static final TopicPartition OUT = new TopicPartition("out", 0);

    private final List<Throwable> retries = new ArrayList<>();
    private Runnable whenRetried = () -> {};
    private final List<Integer> staged = new ArrayList<>();
    private final Map<String, Object> security;
    final ManualClock clock;
    final ReferenceCluster cluster;
    final Admin admin;
    final TransactionalProducer<String, String> producer;

    ShareWork() {
        this(Duration.ofSeconds(20));
    }

    /** With calls that give up after a while; if that is long, so do requests. */
    ShareWork(Duration callTimeout) {
        this(3, 2, callTimeout);
    }

    ShareWork(int shareVersion, int transactionVersion, Duration callTimeout) {
        this(settings(shareVersion).transactionVersion(transactionVersion), Map.of(), callTimeout);
    }

    private ShareWork(ClusterSettings.Builder nodes, Map<String, Object> security, Duration callTimeout) {
        this.security = security;
        clock = new ManualClock();
        cluster = ReferenceCluster.start(nodes.clock(clock).build());
        admin = Admin.create(clientConfig());
        get(admin.createTopics(List.of(new NewTopic("in", 3, (short) 3), new NewTopic("out", 1, (short) 3)))
                .all());
        for (int partition = 0; partition < 3; partition++) {
            cluster.moveLeader(new TopicPartition("in", partition), partition);
        }
        producer = producer(callTimeout);
    }

    /** Everybody has to log in. */
    static ShareWork withLogin() {
        return new ShareWork(
                settings(3).superUser("admin", "secret"),
                Map.of(
                        "security.protocol",
                        "SASL_PLAINTEXT",
                        "sasl.mechanism",
                        "PLAIN",
                        "sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"admin\""
                                + " password=\"secret\";"),
                Duration.ofSeconds(20));
    }

    private static ClusterSettings.Builder settings(int shareVersion) {
        return ClusterSettings.builder().nodes(3).shareVersion(shareVersion);
    }

    Map<String, Object> clientConfig() {
        Map<String, Object> config = new HashMap<>(security);
        config.put("bootstrap.servers", cluster.bootstrapServers());
        return config;
    }

    TransactionalProducer<String, String> producer(Duration callTimeout) {
        ProducerSettings settings = ProducerSettings.builder()
                .properties(clientConfig())
                .transactionalId(ID)
                .callTimeout(callTimeout)
                .property("request.timeout.ms", callTimeout.compareTo(Duration.ofMinutes(1)) > 0 ? 25_000 : 1_000)
                .listener(new TransactionListener() {
                    @Override
                    public void onShareAcknowledgements(String transactionalId, int records) {
                        staged.add(records);
                    }

                    @Override
                    public void onRetry(String transactionalId, Operation operation, Throwable cause) {
                        retries.add(cause);
                        whenRetried.run();
                    }
                })
                .build();
        TransactionalProducer<String, String> made =
                TransactionalProducer.create(settings, StringSerializer::new, StringSerializer::new);
        made.init().orElseThrow();
        return made;
    }

    /** Runs on the thread that calls, within the call. */
    void whenRetried(Runnable action) {
        whenRetried = action;
    }

    /** A member of the group, whose records begin with the first one of each partition. */
    Worker worker(String group) {
        configure(
                group,
                Map.of(
                        "share.auto.offset.reset",
                        "earliest",
                        "share.session.timeout.ms",
                        "600000",
                        "share.record.lock.duration.ms",
                        "30000"));
        Map<String, Object> properties = new HashMap<>(clientConfig());
        properties.put("group.id", group);
        TransactionalShareConsumer<String, String> consumer =
                TransactionalShareConsumer.create(properties, new StringDeserializer(), new StringDeserializer());
        consumer.subscribe(List.of("in"));
        return new Worker(consumer);
    }

    private void configure(String group, Map<String, String> settings) {
        List<AlterConfigOp> operations = settings.entrySet().stream()
                .map(each ->
                        new AlterConfigOp(new ConfigEntry(each.getKey(), each.getValue()), AlterConfigOp.OpType.SET))
                .toList();
        get(admin.incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.GROUP, group), operations))
                .all());
    }

    /** Records with their numbers as values, in a transaction: its marker is a gap behind them. */
    void produce(TopicPartition partition, int count) {
        Transaction<String, String> transaction = begin();
        for (int i = 0; i < count; i++) {
            send(transaction, partition, partition + "/" + i);
        }
        transaction.commit().orElseThrow();
    }

    Transaction<String, String> begin() {
        return producer.beginTransaction().orElseThrow();
    }

    /** A transaction with an output for each record, which has not been committed. */
    Transaction<String, String> outputsOf(Worker.Batch batch) {
        Transaction<String, String> transaction = begin();
        batch.records().forEach(record -> send(transaction, OUT, record.value()));
        return transaction;
    }

    /** The commit tells whether it has arrived. */
    static void send(Transaction<String, String> transaction, TopicPartition to, String value) {
        var unused = transaction.send(new ProducerRecord<>(to.topic(), to.partition(), null, value));
    }

    /** Everything in the output that is committed. */
    List<String> outputs() {
        Map<String, Object> properties = new HashMap<>(clientConfig());
        properties.put("isolation.level", "read_committed");
        List<String> outputs = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(OUT));
            consumer.seekToBeginning(List.of(OUT));
            long end = Objects.requireNonNull(consumer.endOffsets(List.of(OUT)).get(OUT));
            while (consumer.position(OUT) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(record -> outputs.add(record.value()));
            }
        }
        return outputs;
    }

    /** What has become of the records of a partition, once no transaction is in the way. */
    List<ShareRecord.State> settled(String group, TopicPartition partition) {
        return Awaitility.await()
                .until(() -> states(group, partition), states -> !states.contains(ShareRecord.State.TX_PENDING));
    }

    List<ShareRecord.State> states(String group, TopicPartition partition) {
        return cluster.shareRecords(group, partition).stream()
                .map(ShareRecord::state)
                .toList();
    }

    /**
     * Lets so much time pass that the locks of all records of a partition run out, and waits until they have. Nobody
     * gets them then: a fetch that waits at the broker would.
     *
     * @return what holds the fetches up, to be released before the worker is closed, which would wait for them
     */
    FaultRule expire(Worker worker, TopicPartition partition, Duration step) {
        FaultRule held = cluster.faults()
                .on(ApiKeys.SHARE_FETCH)
                .node(partition.partition())
                .everyTime()
                .hold();
        while (held.hits() == 0) {
            assertThat(worker.poll(Duration.ofMillis(100))).isEmpty();
        }
        clock.advance(step);
        Awaitility.await().until(() -> !states(GROUP, partition).contains(ShareRecord.State.ACQUIRED));
        return held;
    }

    Fault fault() {
        return cluster.faults().on(TXN_SHARE_ACKNOWLEDGE);
    }

    List<LoggedRequest> requests() {
        return cluster.requests().on(TXN_SHARE_ACKNOWLEDGE).list();
    }

    List<Throwable> retries() {
        return retries;
    }

    List<Integer> staged() {
        return staged;
    }

    /** It can be aborted at once, the same producer goes on, and nothing of the transaction is in the output. */
    void assertAbortsAndGoesOn(Transaction<String, String> transaction) {
        assertThat(transaction.commit().isSuccess()).as("commit").isFalse();
        assertThat(transaction.abort().isSuccess()).as("abort").isTrue();
        Transaction<String, String> next = begin();
        send(next, OUT, "next");
        next.commit().orElseThrow();
        assertThat(outputs()).containsExactly("next");
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
        cluster.close();
    }
}
