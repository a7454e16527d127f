package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.Calls.error;
import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.producer.Transaction;
import io.github.kafkatxn.producer.TransactionalProducer;
import io.github.kafkatxn.result.Action;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Offsets of a consumer that the group has left behind are refused; the producer aborts and goes on, the group decides
 * who works on. Scenarios C12, C15.
 */
public abstract class GroupContract extends ProducerContract {
    private final List<KafkaConsumer<String, String>> consumers = new ArrayList<>();

    /** For subclasses. */
    protected GroupContract() {}

    @AfterEach
    void closeConsumers() {
        consumers.forEach(KafkaConsumer::close);
        consumers.clear();
    }

    @ParameterizedTest
    @CsvSource({"classic, ", "consumer, ", "classic, i", "consumer, i"})
    void offsetsOfAMemberAreCommitted(String protocol, @Nullable String instanceId) {
        String in = topic("in");
        String group = unique("group");
        Map<String, Object> instance = instanceId == null ? Map.of() : Map.of("group.instance.id", instanceId);
        KafkaConsumer<String, String> member = join(protocol, group, in, instance);
        assertThat(member.groupMetadata().groupInstanceId()).isEqualTo(Optional.ofNullable(instanceId));
        TransactionalProducer<String, String> producer = ready(settings());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();

        transaction
                .sendOffsetsToTransaction(offsets(in), member.groupMetadata())
                .orElseThrow();
        transaction.commit().orElseThrow();

        eventually("the committed offset")
                .untilAsserted(() -> assertThat(probe().committedOffset(group, new TopicPartition(in, 0)))
                        .hasValue(5));
    }

    /** C15: the generation has moved on between poll and send. */
    @Test
    void offsetsOfAnOldGenerationAreRefused() {
        String in = topic("in");
        String group = unique("group");
        KafkaConsumer<String, String> member = join("classic", group, in, Map.of());
        ConsumerGroupMetadata old = member.groupMetadata();
        member.enforceRebalance();
        pollUntil(member, () -> member.groupMetadata().generationId() > old.generationId());

        assertRefusedAndProducerGoesOn(group, in, old, Action.ABORT_AND_REPLAY);
    }

    /** C15: the member has left, or was evicted, meanwhile. */
    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void offsetsOfAMemberThatIsGoneAreRefused(String protocol) {
        String in = topic("in");
        String group = unique("group");
        KafkaConsumer<String, String> stays = join(protocol, group, in, Map.of());
        KafkaConsumer<String, String> leaves = join(protocol, group, topic("other"), Map.of());
        ConsumerGroupMetadata old = leaves.groupMetadata();
        consumers.remove(leaves);
        leaves.close();
        pollUntil(stays, () -> !stays.assignment().isEmpty());

        assertRefusedAndProducerGoesOn(group, in, old, Action.ABORT_AND_REPLAY);
    }

    /** C15 with the consumer protocol: the epoch is older than the assignment of the partition. */
    @Test
    void offsetsOfAnOldMemberEpochAreRefused() {
        String in = topic("in");
        String group = unique("group");
        KafkaConsumer<String, String> member = join("consumer", group, topic("other"), Map.of());
        ConsumerGroupMetadata old = member.groupMetadata();
        member.subscribe(List.of(in));
        pollUntil(member, () -> member.assignment().equals(Set.of(new TopicPartition(in, 0))));

        assertRefusedAndProducerGoesOn(group, in, old, Action.ABORT_AND_REPLAY);
    }

    /** C12: another member has joined with the same instance id; the consumer is what is finished. */
    @Test
    void offsetsOfAReplacedStaticMemberStop() {
        String in = topic("in");
        String group = unique("group");
        Map<String, Object> instance = Map.of("group.instance.id", "i");
        KafkaConsumer<String, String> first = join("classic", group, in, instance);
        ConsumerGroupMetadata old = first.groupMetadata();
        join("classic", group, in, instance);

        assertRefusedAndProducerGoesOn(group, in, old, Action.STOP);
    }

    private void assertRefusedAndProducerGoesOn(
            String group, String in, ConsumerGroupMetadata metadata, Action action) {
        String out = topic("out");
        TransactionalProducer<String, String> producer = ready(settings());
        Transaction<String, String> transaction = producer.beginTransaction().orElseThrow();
        deliver(transaction, out, "a");

        TxnError error = error(transaction.sendOffsetsToTransaction(offsets(in), metadata));

        assertThat(error.action()).as(error.message()).isEqualTo(action);
        assertThat(error(transaction.commit())).as("commit after that").isEqualTo(error);
        assertThat(transaction.abort().isSuccess()).isTrue();
        assertGoesOn(producer);
        assertThat(probe().committedValues(out)).isEmpty();
        assertThat(probe().committedOffset(group, new TopicPartition(in, 0))).isEmpty();
    }

    private static Map<TopicPartition, OffsetAndMetadata> offsets(String topic) {
        return Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(5));
    }

    private KafkaConsumer<String, String> join(String protocol, String group, String topic, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(target().clientConfig());
        config.put("group.id", group);
        config.put("group.protocol", protocol);
        config.put("enable.auto.commit", false);
        config.putAll(more);
        var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
        consumers.add(consumer);
        consumer.subscribe(List.of(topic));
        pollUntil(consumer, () -> consumer.assignment().contains(new TopicPartition(topic, 0)));
        return consumer;
    }

    /** All members poll, since a rebalance waits for each of them. */
    private void pollUntil(KafkaConsumer<String, String> consumer, Callable<Boolean> condition) {
        assertThat(consumers).contains(consumer);
        eventually("progress of the group").pollInSameThread().until(() -> {
            consumers.forEach(member -> member.poll(Duration.ofMillis(10)));
            return condition.call();
        });
    }
}
