package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.github.kafkatxn.cluster.ClusterState.Marker;
import io.github.kafkatxn.cluster.ClusterState.Offset;
import io.github.kafkatxn.cluster.ClusterState.Producer;
import io.github.kafkatxn.cluster.ClusterState.Transaction;
import io.github.kafkatxn.cluster.junit.WithKafka;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a test can see of a transaction, while it is open and after it. */
@Timeout(60)
class ClusterStateTest {
    private static final TopicPartition OUT = new TopicPartition("out", 0);
    private static final TopicPartition IN = new TopicPartition("in", 1);

    @SuppressWarnings("removal") // A group without a consumer.
    @Test
    @WithKafka(nodes = 3)
    void aTransactionFromItsBeginningToItsEnd(ReferenceCluster kafka) throws Exception {
        Uuid in = createTopics(kafka);
        ClusterState state = kafka.state();
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "t"),
                new StringSerializer(),
                new StringSerializer())) {
            producer.initTransactions();
            assertThat(state.transaction("nobody")).isEmpty();
            assertThat(state.transaction("t").orElseThrow().state()).isEqualTo(TransactionState.EMPTY);

            producer.beginTransaction();
            producer.send(new ProducerRecord<>("out", "a")).get();
            producer.sendOffsetsToTransaction(
                    Map.of(IN, new OffsetAndMetadata(7, "m")), new ConsumerGroupMetadata("g"));

            Transaction open = state.transaction("t").orElseThrow();
            assertThat(open.state()).isEqualTo(TransactionState.ONGOING);
            assertThat(open.partitions()).isEqualTo(Set.of(OUT, kafka.groupPartition("g")));
            assertThat(state.producers(OUT))
                    .containsExactly(new Producer(open.producerId(), open.producerEpoch(), 0, OptionalLong.of(0)));
            assertThat(state.endOffset(OUT)).isEqualTo(1);
            assertThat(state.lastStableOffset(OUT)).isZero();
            Map<TopicPartition, Offset> sent = Map.of(IN, new Offset(in, 7, -1, "m"));
            assertThat(state.pendingOffsets("g")).isEqualTo(Map.of(open.producerId(), sent));
            assertThat(state.offsets("g")).isEmpty();

            producer.commitTransaction();

            await().until(() -> state.transaction("t").orElseThrow().state() == TransactionState.COMPLETE_COMMIT);
            short bumped = state.transaction("t").orElseThrow().producerEpoch();
            assertThat(bumped).isEqualTo((short) (open.producerEpoch() + 1));
            assertThat(state.markers(OUT)).isEqualTo(List.of(new Marker(1, open.producerId(), bumped, true)));
            assertThat(state.lastStableOffset(OUT)).isEqualTo(2);
            assertThat(state.pendingOffsets("g")).isEmpty();
            assertThat(state.offsets("g")).isEqualTo(sent);
        }
    }

    @Test
    @WithKafka
    void whatCannotBeAskedForIsNamed(ReferenceCluster kafka) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> kafka.state().endOffset(OUT))
                .withMessageContaining("out-0");
        assertThatIllegalStateException()
                .isThrownBy(() -> kafka.state().transaction("t"))
                .withMessageContaining("__transaction_state");
    }

    @Test
    @WithKafka
    void aPartitionWithoutALeaderIsNamedAndSoAreItsNodes(ReferenceCluster kafka) throws Exception {
        createTopics(kafka);

        kafka.stopNode(0);

        assertThat(kafka.leader(OUT)).isEqualTo(-1);
        assertThatIllegalStateException()
                .isThrownBy(() -> kafka.state().endOffset(OUT))
                .withMessage("out-0 has no leader: down are nodes [0]");
        assertThatIllegalStateException()
                .isThrownBy(() -> kafka.shareRecords("g", OUT))
                .withMessage("out-0 has no leader: down are nodes [0]");
    }

    private static Uuid createTopics(ReferenceCluster kafka) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            return admin.createTopics(List.of(new NewTopic("out", 1, (short) 1), new NewTopic("in", 2, (short) 1)))
                    .topicId("in")
                    .get();
        }
    }
}
