package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.ShareClients.poll;
import static io.github.kafkatxn.cluster.ShareClients.values;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.cluster.fault.FaultRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Acknowledgements of an unmodified share consumer whose leader or connection changes: each of them completes once, an
 * error means that the record comes again unless the node has done what it could not say any more, and close ends.
 */
@Timeout(60)
class LostAcknowledgementsTest {
    private static final String GROUP = "workers";
    private static final TopicPartition PARTITION = new TopicPartition("in", 0);
    private static final int RECORDS = 10;

    private final ManualClock clock = new ManualClock();
    private final ReferenceCluster cluster = ReferenceCluster.start(
            ClusterSettings.builder().nodes(2).clock(clock).build());
    private final String bootstrap = cluster.bootstrapServers();
    private final List<Long> completed = new ArrayList<>();

    @BeforeEach
    void createTopic() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(List.of(new NewTopic("in", 1, (short) 1))).all().get();
            ShareClients.configure(admin, GROUP, Map.of("share.auto.offset.reset", "earliest"));
        }
        ShareClients.produceMany(bootstrap, "in", 0, RECORDS);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void theLeaderMovesBefore() {
        try (KafkaShareConsumer<String, String> consumer = holder()) {
            cluster.moveLeader(PARTITION, 1 - cluster.leader(PARTITION));
            assertThat(consumer.commitSync().values())
                    .singleElement()
                    .satisfies(result -> assertThat(result).isPresent());
        }
        requireEachCompletedOnce();
        assertThat(cameAgain()).hasSize(RECORDS);
    }

    @Test
    void theLeaderRestartsBefore() {
        try (KafkaShareConsumer<String, String> consumer = holder()) {
            int leader = cluster.leader(PARTITION);
            cluster.stopNode(leader);
            cluster.startNode(leader);
            assertThat(consumer.commitSync().values())
                    .singleElement()
                    .satisfies(result -> assertThat(result).isPresent());
        }
        requireEachCompletedOnce();
        assertThat(cameAgain()).hasSize(RECORDS);
    }

    @Test
    void theConnectionGoesBeforeTheAnswer() {
        FaultRule rule = cluster.faults().on(ApiKeys.SHARE_ACKNOWLEDGE).closeAfterHandling();
        try (KafkaShareConsumer<String, String> consumer = holder()) {
            assertThat(consumer.commitSync().values())
                    .singleElement()
                    .satisfies(result -> assertThat(result).isPresent());
            assertThat(rule.hits()).isEqualTo(1);
        }
        requireEachCompletedOnce();
        assertThat(cluster.shareRecords(GROUP, PARTITION)).isEmpty();
    }

    @Test
    void theConnectionGoesBeforeTheRequestIsHandled() {
        FaultRule rule = cluster.faults().on(ApiKeys.SHARE_ACKNOWLEDGE).closeBeforeHandling();
        try (KafkaShareConsumer<String, String> consumer = holder()) {
            assertThat(consumer.commitSync().values())
                    .singleElement()
                    .satisfies(result -> assertThat(result).isPresent());
            assertThat(rule.hits()).isEqualTo(1);
        }
        requireEachCompletedOnce();
        assertThat(cameAgain()).hasSize(RECORDS);
    }

    @Test
    void theAnswerIsTooLateForTheFirstCall() {
        FaultRule rule = cluster.faults().on(ApiKeys.SHARE_ACKNOWLEDGE).holdAnswer();
        try (KafkaShareConsumer<String, String> consumer = holder()) {
            assertThatThrownBy(() -> consumer.commitSync(Duration.ofMillis(100)))
                    .isInstanceOf(TimeoutException.class);
            assertThat(consumer.commitSync(Duration.ofMillis(100))).isEmpty();
            rule.release();
        }
        requireEachCompletedOnce();
        assertThat(cluster.shareRecords(GROUP, PARTITION)).isEmpty();
    }

    /** It has all records, and has acknowledged them, but nobody knows yet. */
    private KafkaShareConsumer<String, String> holder() {
        KafkaShareConsumer<String, String> consumer = ShareClients.explicit(bootstrap, GROUP);
        consumer.subscribe(List.of("in"));
        consumer.setAcknowledgementCommitCallback(
                (offsets, exception) -> offsets.values().forEach(completed::addAll));
        List<ConsumerRecord<String, String>> records = poll(consumer);
        assertThat(records).hasSize(RECORDS);
        records.forEach(record -> consumer.acknowledge(record, AcknowledgeType.ACCEPT));
        return consumer;
    }

    private void requireEachCompletedOnce() {
        assertThat(completed)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(0, RECORDS).boxed().toList());
    }

    private List<String> cameAgain() {
        try (KafkaShareConsumer<String, String> consumer = ShareClients.explicit(bootstrap, GROUP)) {
            consumer.subscribe(List.of("in"));
            return values(poll(consumer));
        }
    }
}
