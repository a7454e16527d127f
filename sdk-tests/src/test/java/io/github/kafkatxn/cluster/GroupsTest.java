package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unmodified consumers in groups, with both protocols, on two nodes. */
@Timeout(60)
class GroupsTest {
    private static final String GROUP = "readers";

    private final ReferenceCluster cluster =
            ReferenceCluster.start(ClusterSettings.builder().nodes(2).build());
    private final Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));

    @BeforeEach
    void createTopic() throws Exception {
        admin.createTopics(List.of(new NewTopic("in", 4, (short) 1))).all().get();
    }

    @AfterEach
    void close() {
        admin.close();
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void twoMembersShareAndTheOneThatStaysGetsAll(String protocol) {
        try (KafkaConsumer<String, String> first = consumer(protocol, null)) {
            first.subscribe(List.of("in"));
            poll(() -> first.assignment().size() == 4, first);
            try (KafkaConsumer<String, String> second = consumer(protocol, null)) {
                second.subscribe(List.of("in"));
                poll(() -> first.assignment().size() == 2 && second.assignment().size() == 2, first, second);
                Set<TopicPartition> all = new HashSet<>(first.assignment());
                all.addAll(second.assignment());
                assertThat(all).hasSize(4);
            }
            poll(() -> first.assignment().size() == 4, first);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void aStaticMemberComesBackToWhatItHad(String protocol) {
        try (KafkaConsumer<String, String> other = consumer(protocol, "other")) {
            other.subscribe(List.of("in"));
            Set<TopicPartition> before;
            try (KafkaConsumer<String, String> member = consumer(protocol, "member")) {
                member.subscribe(List.of("in"));
                poll(() -> member.assignment().size() == 2 && other.assignment().size() == 2, member, other);
                before = member.assignment();
            }
            try (KafkaConsumer<String, String> member = consumer(protocol, "member")) {
                member.subscribe(List.of("in"));
                poll(() -> !member.assignment().isEmpty(), member, other);
                assertThat(member.assignment()).isEqualTo(before);
                assertThat(other.assignment()).hasSize(2);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void theGroupFollowsItsCoordinator(String protocol) {
        TopicPartition partition = new TopicPartition("in", 0);
        try (KafkaConsumer<String, String> member = consumer(protocol, null)) {
            member.subscribe(List.of("in"));
            poll(() -> member.assignment().size() == 4, member);
            member.commitSync(Map.of(partition, new OffsetAndMetadata(5, "five")));
            TopicPartition coordinator = cluster.groupPartition(GROUP);
            cluster.moveLeader(coordinator, 1 - cluster.leader(coordinator));
            member.commitSync(Map.of(new TopicPartition("in", 1), new OffsetAndMetadata(6)));
            assertThat(member.committed(Set.of(partition)).get(partition).metadata())
                    .isEqualTo("five");
            assertThat(member.assignment()).hasSize(4);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void administratorsSeeAndDeleteGroups(String protocol) throws Exception {
        TopicPartition partition = new TopicPartition("in", 2);
        try (KafkaConsumer<String, String> member = consumer(protocol, null)) {
            member.subscribe(List.of("in"));
            poll(() -> member.assignment().size() == 4, member);
            member.commitSync(Map.of(partition, new OffsetAndMetadata(5)));
            ConsumerGroupDescription group = admin.describeConsumerGroups(List.of(GROUP))
                    .describedGroups()
                    .get(GROUP)
                    .get();
            assertThat(group.groupState()).isEqualTo(GroupState.STABLE);
            assertThat(group.members()).hasSize(1);
            assertThat(group.members().iterator().next().assignment().topicPartitions())
                    .hasSize(4);
            assertThatThrownBy(() ->
                            admin.deleteConsumerGroups(List.of(GROUP)).all().get())
                    .hasCauseInstanceOf(GroupNotEmptyException.class);
        }
        assertThat(admin.listConsumerGroupOffsets(GROUP)
                        .partitionsToOffsetAndMetadata()
                        .get()
                        .get(partition)
                        .offset())
                .isEqualTo(5);
        assertThat(admin.listGroups().all().get())
                .extracting(listed -> listed.groupId())
                .containsExactly(GROUP);
        Awaitility.await().ignoreExceptions().until(() -> {
            admin.deleteConsumerGroupOffsets(GROUP, Set.of(partition)).all().get();
            return true;
        });
        assertThat(admin.listConsumerGroupOffsets(GROUP)
                        .partitionsToOffsetAndMetadata()
                        .get())
                .doesNotContainKey(partition);
        admin.deleteConsumerGroups(List.of(GROUP)).all().get();
        assertThatThrownBy(
                        () -> admin.deleteConsumerGroups(List.of(GROUP)).all().get())
                .hasCauseInstanceOf(GroupIdNotFoundException.class);
    }

    @SafeVarargs
    private static void poll(BooleanSupplier until, KafkaConsumer<String, String>... consumers) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).pollInSameThread().until(() -> {
            for (KafkaConsumer<String, String> consumer : consumers) {
                consumer.poll(Duration.ofMillis(20));
            }
            return until.getAsBoolean();
        });
    }

    private KafkaConsumer<String, String> consumer(String protocol, @Nullable String instanceId) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "bootstrap.servers",
                cluster.bootstrapServers(),
                "group.id",
                GROUP,
                "group.protocol",
                protocol,
                "enable.auto.commit",
                false,
                "auto.offset.reset",
                "earliest"));
        if (protocol.equals("classic")) {
            properties.put("heartbeat.interval.ms", 100);
            properties.put("session.timeout.ms", 10_000);
        }
        if (instanceId != null) {
            properties.put("group.instance.id", instanceId);
        }
        return new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
    }
}
