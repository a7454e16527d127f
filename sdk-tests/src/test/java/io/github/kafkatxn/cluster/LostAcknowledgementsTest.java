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
        commitFailsAfter(() -> cluster.moveLeader(PARTITION, 1 - cluster.leader(PARTITION)));
        assertThat(cameAgain()).hasSize(RECORDS);
    }

    @Test
    void theLeaderRestartsBefore() {
        commitFailsAfter(() -> {
            int leader = cluster.leader(PARTITION);
            cluster.stopNode(leader);
            cluster.startNode(leader);
        });
        assertThat(cameAgain()).hasSize(RECORDS);
    }

    @Test
    void theConnectionGoesBeforeTheAnswer() {
        commitFailsAfter(
                () -> cluster.faults().on(ApiKeys.SHARE_ACKNOWLEDGE).once().closeAfterHandling());
        assertThat(cluster.shareRecords(GROUP, PARTITION)).isEmpty();
    }

    @Test
    void theConnectionGoesBeforeTheRequestIsHandled() {
        commitFailsAfter(
                () -> cluster.faults().on(ApiKeys.SHARE_ACKNOWLEDGE).once().closeBeforeHandling());
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

    private void commitFailsAfter(Runnable trouble) {
        try (KafkaShareConsumer<String, String> consumer = holder()) {
            trouble.run();
            assertThat(consumer.commitSync().values())
                    .singleElement()
                    .satisfies(result -> assertThat(result).isPresent());
            cluster.faults().verifyUsed();
        }
        requireEachCompletedOnce();
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
