package io.github.kafkatxn.cluster.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.ManualClock;
import io.github.kafkatxn.cluster.RawClient;
import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.junit.WithKafka;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsRequestData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a fault plan does to transactions: commits in doubt, and a coordinator that stops between its steps. */
@Timeout(30)
@WithKafka(transactionVersion = 1)
class TransactionFaultTest {

    @Test
    void aCommitWhoseAnswerIsLostIsDone(ReferenceCluster cluster) throws IOException {
        try (RawClient client = RawClient.of(cluster);
                RawClient other = RawClient.of(cluster)) {
            InitProducerIdResponseData id = openTransaction(client);
            FaultRule lost =
                    cluster.faults().on(ApiKeys.END_TXN).transactionalId("t").dropAfterHandling();

            client.write(RawClient.end("t", id, true), 3);
            lost.awaitHit();

            awaitState(other, "CompleteCommit");
            assertThat(client.hearsNothing()).isTrue();
            LoggedRequest endTxn = cluster.requests().on(ApiKeys.END_TXN).await();
            assertThat(endTxn.answer()).isEmpty();
            assertThat(endTxn.fault())
                    .hasValueSatisfying(rule -> assertThat(rule).contains("drop after handling"));
        }
    }

    @Test
    void aCoordinatorStopsBetweenItsSteps(ReferenceCluster cluster) throws IOException {
        FaultRule prepared = cluster.faults().onTransaction("t").committing().holdBeforeMarkers();
        FaultRule marked = cluster.faults().onTransaction("t").holdBeforeComplete();
        try (RawClient client = RawClient.of(cluster)) {
            InitProducerIdResponseData id = openTransaction(client);

            assertThat(commit(client, id)).isEqualTo(Errors.NONE);
            prepared.awaitHit();
            assertThat(state(client)).isEqualTo("PrepareCommit");
            assertThat(describe(client).topics().find("orders").partitions()).containsExactly(0);
            assertThat(cluster.requests().on(ApiKeys.WRITE_TXN_MARKERS).count()).isZero();

            prepared.release();
            marked.awaitHit();
            LoggedRequest marker = cluster.requests()
                    .on(ApiKeys.WRITE_TXN_MARKERS)
                    .fromNodes()
                    .topic("orders")
                    .partition(0)
                    .answered()
                    .await();
            assertThat(marker.sender()).contains(0);
            assertThat(state(client)).isEqualTo("PrepareCommit");
            assertThat(describe(client).topics())
                    .as("partitions without marker")
                    .isEmpty();

            marked.release();
            awaitState(client, "CompleteCommit");
        }
    }

    @Test
    @WithKafka(nodes = 2, transactionVersion = 1)
    void aCoordinatorFailsOverBeforeTheMarkers(ReferenceCluster cluster) throws IOException {
        FaultRule prepared = cluster.faults().onTransaction("t").holdBeforeMarkers();
        int coordinator;
        try (RawClient any = RawClient.of(cluster)) {
            coordinator = any.awaitCoordinator("t");
        }
        int next = 1 - coordinator;
        try (RawClient client = new RawClient(cluster, coordinator);
                RawClient afterwards = new RawClient(cluster, next)) {
            InitProducerIdResponseData id = openTransaction(client);
            assertThat(commit(client, id)).isEqualTo(Errors.NONE);
            prepared.awaitHit();

            cluster.moveLeader(cluster.transactionPartition("t"), next);

            cluster.requests()
                    .on(ApiKeys.WRITE_TXN_MARKERS)
                    .where(
                            WriteTxnMarkersRequestData.class,
                            request -> !request.markers().isEmpty())
                    .await()
                    .sender()
                    .ifPresent(sender -> assertThat(sender).isEqualTo(next));
            awaitState(afterwards, "CompleteCommit");
            prepared.release();
        }
    }

    @Test
    void aMarkerComesLateOrTwice(ReferenceCluster cluster) throws IOException {
        FaultRule held = cluster.faults().on(ApiKeys.WRITE_TXN_MARKERS).hold();
        cluster.faults().on(ApiKeys.WRITE_TXN_MARKERS).handleTwice();
        try (RawClient client = RawClient.of(cluster)) {
            InitProducerIdResponseData id = openTransaction(client);
            commit(client, id);
            held.awaitHit();
            assertThat(state(client)).isEqualTo("PrepareCommit");
            held.release();
            awaitState(client, "CompleteCommit");

            InitProducerIdResponseData again = openTransaction(client);
            commit(client, again);
            awaitState(client, "CompleteCommit");
        }
    }

    @Test
    void onePartitionCannotBeAdded(ReferenceCluster cluster) throws IOException {
        cluster.faults()
                .on(ApiKeys.ADD_PARTITIONS_TO_TXN)
                .topic("orders")
                .partition(1)
                .answerWith(Errors.TOPIC_AUTHORIZATION_FAILED);
        try (RawClient client = RawClient.of(cluster)) {
            createTopic(client);
            InitProducerIdResponseData id = client.initialized("t");

            AddPartitionsToTxnResponseData answer =
                    client.send(RawClient.add("t", id, "orders", 0, 1), 3, AddPartitionsToTxnResponseData.class);

            assertThat(answer.resultsByTopicV3AndBelow().find("orders").resultsByPartition())
                    .extracting(result -> result.partitionIndex() + " " + Errors.forCode(result.partitionErrorCode()))
                    .containsExactly("0 OPERATION_NOT_ATTEMPTED", "1 TOPIC_AUTHORIZATION_FAILED");
            assertThat(state(client)).isEqualTo("Empty");
        }
    }

    @Test
    @WithKafka(nodes = 2)
    void metadataShowsTheOldLeader(ReferenceCluster cluster) throws IOException {
        TopicPartition partition = new TopicPartition("orders", 0);
        try (RawClient client = RawClient.of(cluster)) {
            createTopic(client);
            int leader = cluster.leader(partition);
            FaultRule stale = cluster.faults()
                    .on(ApiKeys.METADATA)
                    .topic("orders")
                    .everyTime()
                    .answerAsOfNow();
            cluster.moveLeader(partition, 1 - leader);

            assertThat(leaderInMetadata(client)).isEqualTo(leader);
            stale.remove();
            assertThat(leaderInMetadata(client)).isEqualTo(1 - leader);
        }
    }

    @Test
    @WithKafka(nodes = 2, transactionVersion = 1)
    void aNodeThatIsCutOffGetsNoMarkers(ReferenceCluster cluster) throws IOException {
        TopicPartition partition = new TopicPartition("orders", 0);
        int coordinator;
        try (RawClient any = RawClient.of(cluster)) {
            coordinator = any.awaitCoordinator("t");
        }
        try (RawClient client = new RawClient(cluster, coordinator);
                RawClient lonely = new RawClient(cluster, 1 - coordinator)) {
            InitProducerIdResponseData id = openTransaction(client);
            cluster.moveLeader(partition, 1 - coordinator);
            FaultRule cut = cluster.faults().cutOff(1 - coordinator);

            lonely.write(RawClient.versionsRequest(), 3);
            assertThat(lonely.isClosedByNode()).isTrue();
            commit(client, id);
            cut.awaitHits(2);
            assertThat(state(client)).isEqualTo("PrepareCommit");

            cut.remove();
            awaitState(client, "CompleteCommit");
        }
    }

    @Test
    @WithKafka(manualClock = true, transactionVersion = 1)
    void timeRunsOutWhenTheTestSaysSo(ReferenceCluster cluster, ManualClock clock) throws IOException {
        try (RawClient client = RawClient.of(cluster)) {
            openTransaction(client);
            clock.advance(Duration.ofSeconds(59));
            assertThat(state(client)).isEqualTo("Ongoing");

            clock.advance(Duration.ofSeconds(2));

            cluster.requests().on(ApiKeys.WRITE_TXN_MARKERS).answered().await();
            awaitState(client, "CompleteAbort");
        }
    }

    private static InitProducerIdResponseData openTransaction(RawClient client) throws IOException {
        createTopic(client);
        InitProducerIdResponseData id = client.initialized("t");
        AddPartitionsToTxnResponseData added =
                client.send(RawClient.add("t", id, "orders", 0), 3, AddPartitionsToTxnResponseData.class);
        assertThat(added.resultsByTopicV3AndBelow().find("orders").resultsByPartition())
                .allMatch(result -> result.partitionErrorCode() == 0);
        return id;
    }

    private static void createTopic(RawClient client) throws IOException {
        CreateTopicsRequestData request = new CreateTopicsRequestData().setTimeoutMs(10_000);
        request.topics()
                .add(new CreatableTopic().setName("orders").setNumPartitions(2).setReplicationFactor((short) 1));
        client.send(request, 7, CreateTopicsResponseData.class);
    }

    private static Errors commit(RawClient client, InitProducerIdResponseData id) throws IOException {
        return Errors.forCode(client.send(RawClient.end("t", id, true), 3, EndTxnResponseData.class)
                .errorCode());
    }

    private static int leaderInMetadata(RawClient client) throws IOException {
        MetadataRequestData request =
                new MetadataRequestData().setTopics(List.of(new MetadataRequestTopic().setName("orders")));
        return client.send(request, 12, MetadataResponseData.class)
                .topics()
                .find("orders")
                .partitions()
                .get(0)
                .leaderId();
    }

    private static String state(RawClient client) throws IOException {
        return describe(client).transactionState();
    }

    private static TransactionState describe(RawClient client) throws IOException {
        return client.send(
                        new DescribeTransactionsRequestData().setTransactionalIds(List.of("t")),
                        0,
                        DescribeTransactionsResponseData.class)
                .transactionStates()
                .get(0);
    }

    /** The step before has happened, so this one comes soon; the test's timeout bounds it. */
    private static void awaitState(RawClient client, String state) throws IOException {
        while (!state(client).equals(state)) {
            Thread.onSpinWait();
        }
    }
}
