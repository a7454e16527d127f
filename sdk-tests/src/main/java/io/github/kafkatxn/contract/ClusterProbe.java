package io.github.kafkatxn.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.core.ConditionFactory;

/**
 * Looks at a cluster from outside, with rights of its own: what is really there, whatever the producer said. Waits are
 * bounded and fail with what was not seen.
 */
public final class ClusterProbe implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final Map<String, Object> config;
    private final Admin admin;

    /**
     * A probe of a target.
     *
     * @param target which one
     */
    public ClusterProbe(KafkaTarget target) {
        this.config = target.adminConfig();
        this.admin = Admin.create(config);
    }

    /** {@return the client for everything else} */
    public Admin admin() {
        return admin;
    }

    /**
     * Makes a topic with one replica.
     *
     * @param topic its name
     * @param partitions how many partitions
     * @return the name
     */
    public String createTopic(String topic, int partitions) {
        NewTopic wanted = new NewTopic(topic, partitions, (short) 1);
        eventually("topic " + topic).until(() -> isCreated(wanted));
        return topic;
    }

    /** Not while no broker is there to lead it: one that stood still is let in again a moment later. */
    private boolean isCreated(NewTopic topic) throws InterruptedException, ExecutionException {
        try {
            admin.createTopics(List.of(topic)).all().get();
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof InvalidReplicationFactorException) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Deletes a topic and waits until the brokers do not know it any more.
     *
     * @param topic its name
     */
    public void deleteTopic(String topic) {
        get(admin.deleteTopics(List.of(topic)).all());
        eventually("deletion of " + topic)
                .until(() -> !get(admin.listTopics().names()).contains(topic));
    }

    /**
     * Waits until no transaction is open on a topic.
     *
     * @param topic its name
     */
    public void awaitNothingOpen(String topic) {
        eventually("no transaction open on " + topic)
                .untilAsserted(() -> assertThat(ends(topic, IsolationLevel.READ_COMMITTED))
                        .isEqualTo(ends(topic, IsolationLevel.READ_UNCOMMITTED)));
    }

    /**
     * Whether a transaction is open on a topic now, so that read_committed readers wait for its end.
     *
     * @param topic its name
     * @return whether the last stable offset is behind the high watermark
     */
    public boolean isOpen(String topic) {
        return !ends(topic, IsolationLevel.READ_COMMITTED).equals(ends(topic, IsolationLevel.READ_UNCOMMITTED));
    }

    /**
     * How much a topic's log holds, aborted records and markers included.
     *
     * @param topic its name
     * @return the sum of the high watermarks
     */
    public long logEnd(String topic) {
        return ends(topic, IsolationLevel.READ_UNCOMMITTED).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /**
     * What a read_committed reader sees from the beginning to the end, once no transaction is open any more: every
     * record as often as it is there.
     *
     * @param topic its name
     * @return the values, by partition and offset
     */
    public List<String> committedValues(String topic) {
        return committedRecords(topic).stream().map(ConsumerRecord::value).toList();
    }

    /**
     * What a read_committed reader sees from the beginning to the end, once no transaction is open any more.
     *
     * @param topic its name
     * @return the records, by partition and offset
     */
    public List<ConsumerRecord<String, String>> committedRecords(String topic) {
        awaitNothingOpen(topic);
        Map<String, Object> reader = new HashMap<>(config);
        reader.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        reader.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 20);
        reader.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        List<TopicPartition> partitions = partitions(topic);
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (var consumer = new KafkaConsumer<>(reader, new StringDeserializer(), new StringDeserializer())) {
            for (TopicPartition partition : partitions) {
                consumer.assign(List.of(partition));
                consumer.seekToBeginning(List.of(partition));
                long end = consumer.endOffsets(List.of(partition))
                        .values()
                        .iterator()
                        .next();
                long start = System.nanoTime();
                while (consumer.position(partition) < end) {
                    assertThat(System.nanoTime() - start)
                            .as("time to read %s", partition)
                            .isLessThan(LIMIT.toNanos());
                    consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                }
            }
        }
        return records;
    }

    /**
     * The committed offset of a group, once no transaction has one pending.
     *
     * @param group the group
     * @param partition the partition
     * @return its offset, empty if there is none
     */
    public OptionalLong committedOffset(String group, TopicPartition partition) {
        Map<TopicPartition, OffsetAndMetadata> offsets =
                get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
        OffsetAndMetadata offset = offsets.get(partition);
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset.offset());
    }

    /**
     * How many members a group has.
     *
     * @param group the group
     * @return their number, 0 if there is no such group
     */
    public int members(String group) {
        try {
            return describe(group).members().size();
        } catch (AssertionError e) {
            if (e.getCause() instanceof ExecutionException failure
                    && failure.getCause() instanceof GroupIdNotFoundException) {
                return 0;
            }
            throw e;
        }
    }

    /**
     * A group as its coordinator knows it.
     *
     * @param group the group
     * @return its description
     */
    public ConsumerGroupDescription describe(String group) {
        return Optional.ofNullable(
                        get(admin.describeConsumerGroups(List.of(group)).all()).get(group))
                .orElseThrow();
    }

    /**
     * How much of a topic a group has not committed yet, markers and aborted records included, as read_committed
     * consumers count it: up to the last stable offset.
     *
     * @param group the group
     * @param topic the topic
     * @return the sum over its partitions
     */
    public long lag(String group, String topic) {
        Map<TopicPartition, OffsetAndMetadata> offsets =
                get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
        long lag = 0;
        for (Map.Entry<TopicPartition, Long> end :
                ends(topic, IsolationLevel.READ_COMMITTED).entrySet()) {
            OffsetAndMetadata offset = offsets.get(end.getKey());
            lag += end.getValue() - (offset == null ? 0 : offset.offset());
        }
        return lag;
    }

    /**
     * Waits for an answer of the cluster.
     *
     * @param future the answer
     * @param <T> its type
     * @return the answer
     */
    public static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for the cluster", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("the cluster did not answer as expected", e);
        }
    }

    /**
     * A wait for a condition, 20 seconds at most, that looks often.
     *
     * @param what named when it fails
     * @return the wait
     */
    public static ConditionFactory eventually(String what) {
        return await(what)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .atMost(LIMIT);
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(5));
    }

    private Map<TopicPartition, Long> ends(String topic, IsolationLevel isolation) {
        Map<TopicPartition, OffsetSpec> question = new HashMap<>();
        partitions(topic).forEach(partition -> question.put(partition, OffsetSpec.latest()));
        Map<TopicPartition, Long> ends = new HashMap<>();
        get(admin.listOffsets(question, new ListOffsetsOptions(isolation)).all())
                .forEach((partition, info) -> ends.put(partition, info.offset()));
        return ends;
    }

    private List<TopicPartition> partitions(String topic) {
        int count = get(admin.describeTopics(List.of(topic)).allTopicNames())
                .values()
                .iterator()
                .next()
                .partitions()
                .size();
        List<TopicPartition> partitions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            partitions.add(new TopicPartition(topic, i));
        }
        return partitions;
    }
}
