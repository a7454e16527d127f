package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.ShareClients.poll;
import static io.github.kafkatxn.cluster.ShareClients.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ShareGroupDescription;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.InvalidRecordStateException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unmodified share consumers (KIP-932) on two nodes, whose clock the test moves. */
@Timeout(60)
class ShareGroupsTest {
    private static final String GROUP = "workers";
    private static final TopicPartition PARTITION = new TopicPartition("in", 0);

    private final ManualClock clock = new ManualClock();
    private final ReferenceCluster cluster = ReferenceCluster.start(
            ClusterSettings.builder().nodes(2).clock(clock).build());
    private final String bootstrap = cluster.bootstrapServers();
    private final Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap));

    @BeforeEach
    void createTopic() throws Exception {
        admin.createTopics(List.of(new NewTopic("in", 2, (short) 1))).all().get();
        ShareClients.configure(admin, GROUP, Map.of("share.auto.offset.reset", "earliest"));
    }

    @AfterEach
    void close() {
        admin.close();
        cluster.close();
    }

    @Test
    void theNextPollAcknowledges() {
        ShareClients.produce(bootstrap, "in", 0, 0, 10);
        try (KafkaShareConsumer<String, String> consumer = ShareClients.consumer(bootstrap, GROUP, Map.of())) {
            consumer.subscribe(List.of("in"));
            Set<String> seen = new HashSet<>();
            while (seen.size() < 10) {
                poll(consumer).forEach(record -> {
                    assertThat(record.deliveryCount()).contains((short) 1);
                    assertThat(seen.add(record.value())).isTrue();
                });
            }
            consumer.commitSync();
            assertThat(cluster.shareRecords(GROUP, PARTITION)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"batch_optimized", "record_limit"})
    void acceptedAndRejectedRecordsAreDoneAndReleasedOnesComeAgain(String mode) {
        ShareClients.produce(bootstrap, "in", 0, 0, 3);
        Map<String, Object> settings =
                Map.of("share.acknowledgement.mode", "explicit", "share.acquire.mode", mode, "max.poll.records", 3);
        try (KafkaShareConsumer<String, String> consumer = ShareClients.consumer(bootstrap, GROUP, settings)) {
            consumer.subscribe(List.of("in"));
            List<ConsumerRecord<String, String>> records = poll(consumer);
            assertThat(values(records)).containsExactly("0", "1", "2");
            consumer.acknowledge(records.get(0), AcknowledgeType.ACCEPT);
            consumer.acknowledge(records.get(1), AcknowledgeType.RELEASE);
            consumer.acknowledge(records.get(2), AcknowledgeType.REJECT);
            assertThat(consumer.commitSync().values()).allMatch(Optional::isEmpty);

            List<ConsumerRecord<String, String>> again = poll(consumer);
            assertThat(values(again)).containsExactly("1");
            assertThat(again.get(0).deliveryCount()).contains((short) 2);
            consumer.acknowledge(again.get(0), AcknowledgeType.ACCEPT);
            assertThat(consumer.commitSync().values()).allMatch(Optional::isEmpty);
            assertThat(cluster.shareRecords(GROUP, PARTITION)).isEmpty();
        }
    }

    @Test
    void aLockThatRanOutMakesTheAcknowledgementTooLate() {
        ShareClients.produce(bootstrap, "in", 0, 0, 1);
        try (KafkaShareConsumer<String, String> consumer = ShareClients.explicit(bootstrap, GROUP)) {
            consumer.subscribe(List.of("in"));
            ConsumerRecord<String, String> record = poll(consumer).get(0);
            clock.advance(Duration.ofSeconds(30));
            consumer.acknowledge(record, AcknowledgeType.ACCEPT);
            Map<TopicIdPartition, Optional<KafkaException>> results = consumer.commitSync();
            assertThat(results.values())
                    .singleElement()
                    .satisfies(error -> assertThat(error).get().isInstanceOf(InvalidRecordStateException.class));
            ConsumerRecord<String, String> again = poll(consumer).get(0);
            assertThat(again.deliveryCount()).contains((short) 2);
            consumer.acknowledge(again, AcknowledgeType.ACCEPT);
        }
    }

    @Test
    void aRenewedLockGoesOn() {
        ShareClients.produce(bootstrap, "in", 0, 0, 1);
        try (KafkaShareConsumer<String, String> consumer = ShareClients.explicit(bootstrap, GROUP)) {
            consumer.subscribe(List.of("in"));
            ConsumerRecord<String, String> record = poll(consumer).get(0);
            clock.advance(Duration.ofSeconds(20));
            consumer.acknowledge(record, AcknowledgeType.RENEW);
            assertThat(consumer.commitSync().values()).allMatch(Optional::isEmpty);
            clock.advance(Duration.ofSeconds(20));
            assertThat(cluster.shareRecords(GROUP, PARTITION))
                    .extracting(ShareRecord::state)
                    .containsExactly(ShareRecord.State.ACQUIRED);
        }
    }

    @Test
    void aRecordThatNobodyCanProcessIsArchivedAtTheLimit() throws Exception {
        ShareClients.configure(admin, GROUP, Map.of("share.delivery.count.limit", "2"));
        ShareClients.produce(bootstrap, "in", 0, 0, 1);
        try (KafkaShareConsumer<String, String> consumer = ShareClients.explicit(bootstrap, GROUP)) {
            consumer.subscribe(List.of("in"));
            for (short delivery = 1; delivery <= 2; delivery++) {
                ConsumerRecord<String, String> record = poll(consumer).get(0);
                assertThat(record.deliveryCount()).contains(delivery);
                consumer.acknowledge(record, AcknowledgeType.RELEASE);
                consumer.commitSync();
            }
            ShareClients.produce(bootstrap, "in", 0, 1, 2);
            List<ConsumerRecord<String, String>> next = poll(consumer);
            assertThat(values(next)).containsExactly("1");
            consumer.acknowledge(next.get(0), AcknowledgeType.ACCEPT);
        }
    }

    @Test
    void whatAMemberHasIsGivenBackWhenItGoes() {
        ShareClients.produce(bootstrap, "in", 0, 0, 5);
        try (KafkaShareConsumer<String, String> first = ShareClients.explicit(bootstrap, GROUP);
                KafkaShareConsumer<String, String> second = ShareClients.explicit(bootstrap, GROUP)) {
            first.subscribe(List.of("in"));
            assertThat(poll(first)).isNotEmpty();
            first.close(Duration.ofSeconds(5));
            second.subscribe(List.of("in"));
            List<ConsumerRecord<String, String>> again = new ArrayList<>();
            while (again.size() < 5) {
                List<ConsumerRecord<String, String>> polled = poll(second);
                again.addAll(polled);
                polled.forEach(record -> second.acknowledge(record, AcknowledgeType.ACCEPT));
            }
            assertThat(values(again)).containsExactlyInAnyOrder("0", "1", "2", "3", "4");
        }
    }

    @Test
    void stateFollowsTheLeaders() {
        ShareClients.produce(bootstrap, "in", 0, 0, 4);
        try (KafkaShareConsumer<String, String> consumer = ShareClients.explicit(bootstrap, GROUP)) {
            consumer.subscribe(List.of("in"));
            List<ConsumerRecord<String, String>> records = poll(consumer);
            assertThat(values(records)).containsExactly("0", "1", "2", "3");
            consumer.acknowledge(records.get(0), AcknowledgeType.ACCEPT);
            consumer.acknowledge(records.get(1), AcknowledgeType.RELEASE);
            consumer.acknowledge(records.get(2), AcknowledgeType.ACCEPT);
            consumer.acknowledge(records.get(3), AcknowledgeType.RELEASE);
            assertThat(consumer.commitSync().values()).allMatch(Optional::isEmpty);
            TopicPartition state = cluster.sharePartition(GROUP, PARTITION);
            cluster.moveLeader(state, 1 - cluster.leader(state));
            cluster.moveLeader(PARTITION, 1 - cluster.leader(PARTITION));
            List<ConsumerRecord<String, String>> again = new ArrayList<>();
            while (again.size() < 2) {
                List<ConsumerRecord<String, String>> polled = poll(consumer);
                again.addAll(polled);
                polled.forEach(record -> consumer.acknowledge(record, AcknowledgeType.ACCEPT));
            }
            assertThat(values(again)).containsExactlyInAnyOrder("1", "3");
        }
    }

    @Test
    void readCommittedGroupsGetCommittedRecordsOnly() throws Exception {
        ShareClients.configure(admin, GROUP, Map.of("share.isolation.level", "read_committed"));
        Map<String, Object> properties = Map.of("bootstrap.servers", bootstrap, "transactional.id", "writer");
        try (KafkaProducer<String, String> producer =
                        new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer());
                KafkaShareConsumer<String, String> consumer = ShareClients.consumer(bootstrap, GROUP, Map.of())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("in", 0, null, "aborted")).get();
            producer.abortTransaction();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>("in", 0, null, "committed")).get();
            consumer.subscribe(List.of("in"));
            assertThat(consumer.poll(Duration.ofMillis(500))).isEmpty();
            producer.commitTransaction();
            assertThat(values(poll(consumer))).containsExactly("committed");
        }
    }

    @Test
    void administratorsSeeMembersAndOffsetsAndMoveThem() throws Exception {
        ShareClients.produce(bootstrap, "in", 0, 0, 6);
        try (KafkaShareConsumer<String, String> consumer = ShareClients.explicit(bootstrap, GROUP)) {
            consumer.subscribe(List.of("in"));
            List<ConsumerRecord<String, String>> records = poll(consumer);
            records.subList(0, 4).forEach(record -> consumer.acknowledge(record, AcknowledgeType.ACCEPT));
            records.subList(4, 6).forEach(record -> consumer.acknowledge(record, AcknowledgeType.RELEASE));
            consumer.commitSync();
            ShareGroupDescription group = admin.describeShareGroups(List.of(GROUP)).all().get().values().stream()
                    .findFirst()
                    .orElseThrow();
            assertThat(group.groupState()).isEqualTo(GroupState.STABLE);
            assertThat(group.members())
                    .singleElement()
                    .satisfies(member ->
                            assertThat(member.assignment().topicPartitions()).hasSize(2));
            assertThat(admin.listGroups().all().get()).singleElement().satisfies(listed -> {
                assertThat(listed.groupId()).isEqualTo(GROUP);
                assertThat(listed.type()).contains(GroupType.SHARE);
            });
            assertThat(offsets()).hasEntrySatisfying(PARTITION, info -> {
                // The start that is kept lags behind by one change, as with Apache Kafka; the lag does not.
                assertThat(info.startOffset()).isEqualTo(0);
                assertThat(info.lag()).contains(2L);
            });
            assertThatThrownBy(
                            () -> admin.deleteShareGroups(List.of(GROUP)).all().get())
                    .hasCauseInstanceOf(GroupNotEmptyException.class);
        }
        admin.alterShareGroupOffsets(GROUP, Map.of(PARTITION, 1L)).all().get();
        assertThat(offsets())
                .hasEntrySatisfying(
                        PARTITION, info -> assertThat(info.startOffset()).isEqualTo(1));
        try (KafkaShareConsumer<String, String> consumer = ShareClients.consumer(bootstrap, GROUP, Map.of())) {
            consumer.subscribe(List.of("in"));
            assertThat(values(poll(consumer))).first().isEqualTo("1");
        }
        admin.deleteShareGroupOffsets(GROUP, Set.of("in")).all().get();
        assertThat(offsets()).isEmpty();
        admin.deleteShareGroups(List.of(GROUP)).all().get();
        Awaitility.await().until(() -> admin.listGroups().all().get().isEmpty());
    }

    private Map<TopicPartition, SharePartitionOffsetInfo> offsets() throws Exception {
        return admin.listShareGroupOffsets(Map.of(GROUP, new ListShareGroupOffsetsSpec()))
                .partitionsToOffsetInfo(GROUP)
                .get();
    }
}
