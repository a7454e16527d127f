package io.github.kafkatxn.apache;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;

/** What the cluster says about itself. An Admin per question: they are rare, and none is left behind. */
final class ClusterView {
    private static final String TRANSACTIONS = "__transaction_state";
    private static final String OFFSETS = "__consumer_offsets";
    private static final String NOBODY = "kafkatxn-nobody";

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

    private final Map<String, Object> config;
    private final Duration timeout;

    ClusterView(Map<String, Object> adminConfig, Duration timeout) {
        this.config = new HashMap<>(adminConfig);
        this.timeout = timeout;
        // A broker that stands still does not answer; ask another soon.
        config.put("request.timeout.ms", 2_000);
        config.put("default.api.timeout.ms", Math.toIntExact(Math.max(2_000, timeout.toMillis())));
    }

    /**
     * Has the brokers create the topics of the transaction and group coordinators, which they do when first asked for a
     * coordinator: later a broker may be missing, and with it the replicas they want.
     */
    void createCoordinatorTopics(boolean transactions) {
        ask(admin -> {
            KafkaFuture<?> transaction =
                    admin.describeTransactions(List.of(NOBODY)).description(NOBODY);
            KafkaFuture<?> offsets = admin.listConsumerGroupOffsets(NOBODY).partitionsToOffsetAndMetadata();
            if (transactions) {
                expect(TransactionalIdNotFoundException.class, transaction);
            }
            expect(GroupIdNotFoundException.class, offsets);
            return true;
        });
    }

    int leader(String topic, int partition) {
        return leaderId(partitions(topic), topic, partition);
    }

    int transactionCoordinator(String transactionalId) {
        return leaderFor(transactionalId, TRANSACTIONS);
    }

    int groupCoordinator(String groupId) {
        return leaderFor(groupId, OFFSETS);
    }

    private int leaderFor(String key, String topic) {
        List<TopicPartitionInfo> partitions = partitions(topic);
        return leaderId(partitions, topic, Math.floorMod(positive(key.hashCode()), partitions.size()));
    }

    /** As the brokers do it: the smallest integer counts as zero. */
    private static int positive(int hash) {
        return hash == Integer.MIN_VALUE ? 0 : Math.abs(hash);
    }

    private static int leaderId(List<TopicPartitionInfo> partitions, String topic, int partition) {
        if (partition < 0 || partition >= partitions.size()) {
            throw new IllegalArgumentException(
                    "partition " + partition + " of " + topic + ": allowed is 0 to " + (partitions.size() - 1));
        }
        Node leader = partitions.get(partition).leader();
        return leader == null ? Node.noNode().id() : leader.id();
    }

    private List<TopicPartitionInfo> partitions(String topic) {
        return ask(admin -> {
            KafkaFuture<Map<String, TopicDescription>> description =
                    admin.describeTopics(Set.of(topic)).allTopicNames();
            return get(description).values().iterator().next().partitions();
        });
    }

    private <T> T ask(Function<Admin, T> question) {
        Admin admin = Admin.create(config);
        try {
            return question.apply(admin);
        } finally {
            admin.close(CLOSE_TIMEOUT);
        }
    }

    private <E extends KafkaException> void expect(Class<E> usual, KafkaFuture<?> future) {
        try {
            get(future);
        } catch (KafkaException e) {
            if (!usual.isInstance(e)) {
                throw e;
            }
        }
    }

    private <T> T get(KafkaFuture<T> future) {
        try {
            return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new InterruptException("interrupted while waiting for an answer of the cluster", e);
        } catch (TimeoutException e) {
            throw new org.apache.kafka.common.errors.TimeoutException("no answer of the cluster within " + timeout, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KafkaException cause) {
                throw cause;
            }
            throw new KafkaException(e.getCause());
        }
    }
}
