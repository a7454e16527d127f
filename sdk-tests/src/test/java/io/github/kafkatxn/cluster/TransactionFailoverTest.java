package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.TransactionClient.waiting;
import static org.apache.kafka.common.protocol.Errors.CONCURRENT_TRANSACTIONS;
import static org.apache.kafka.common.protocol.Errors.NONE;
import static org.apache.kafka.common.protocol.Errors.NOT_COORDINATOR;
import static org.apache.kafka.common.protocol.Errors.NOT_ENOUGH_REPLICAS;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.TransactionClient.Ends;
import io.github.kafkatxn.cluster.TransactionClient.Identity;
import io.github.kafkatxn.cluster.fault.Fault;
import io.github.kafkatxn.cluster.fault.FaultRule;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A coordinator that moves to another node between PREPARE and COMPLETE; partitions led elsewhere. */
@Timeout(60)
class TransactionFailoverTest {
    private static final String ID = "failover";
    private static final String TOPIC = "t";

    @ParameterizedTest(name = "markers are written before: {0}")
    @ValueSource(booleans = {false, true})
    void theNextCoordinatorCompletesWhatIsDecided(boolean written) throws Exception {
        ClusterSettings settings = ClusterSettings.builder().nodes(3).build();
        try (ReferenceCluster cluster = ReferenceCluster.start(settings);
                TransactionClient any = TransactionClient.of(cluster, 0)) {
            Uuid topicId = any.createTopic(TOPIC, 1);
            int first = any.coordinator(ID, 1);
            int next = (first + 1) % 3;
            cluster.moveLeader(new TopicPartition(TOPIC, 0), (first + 2) % 3);
            try (TransactionClient before = TransactionClient.of(cluster, first);
                    TransactionClient after = TransactionClient.of(cluster, next);
                    TransactionClient leader = TransactionClient.of(cluster, (first + 2) % 3)) {
                Identity e0 = before.initialised(ID, 60_000);
                assertThat(waiting(
                                () -> leader.produce(12, ID, e0, TOPIC, topicId, 0, 0),
                                error -> error == CONCURRENT_TRANSACTIONS))
                        .isEqualTo(NONE);
                FaultRule held = written
                        ? cluster.faults().onTransaction(ID).holdBeforeComplete()
                        : cluster.faults().onTransaction(ID).holdBeforeMarkers();
                assertThat(before.end(5, ID, e0, true)).isEqualTo(e0.at(1));
                held.awaitHit();

                cluster.moveLeader(cluster.transactionPartition(ID), next);

                waiting(() -> after.state(ID), state -> !state.equals("CompleteCommit"));
                held.release();
                assertThat(before.end(5, ID, e0, true).error()).isEqualTo(NOT_COORDINATOR);
                assertThat(after.ended(5, ID, e0, true)).isEqualTo(e0.at(1));
                int end = written ? 3 : 2;
                assertThat(leader.ends(topicId, 0)).isEqualTo(new Ends(end, end));
            }
        }
    }

    @ParameterizedTest(name = "nodes know markers up to version {0}")
    @ValueSource(ints = {1, 2})
    void markersGoInTheVersionThatBothKnow(int version) throws Exception {
        ClusterSettings settings = ClusterSettings.builder()
                .cap(ApiKeys.WRITE_TXN_MARKERS, version)
                .build();
        try (ReferenceCluster cluster = ReferenceCluster.start(settings);
                TransactionClient client = TransactionClient.of(cluster, 0)) {
            Uuid topicId = client.createTopic(TOPIC, 1);
            client.coordinator(ID, 1);
            Identity e0 = client.initialised(ID, 60_000);
            assertThat(client.produce(12, ID, e0, TOPIC, topicId, 0, 0)).isEqualTo(NONE);

            assertThat(client.end(5, ID, e0, true)).isEqualTo(e0.at(1));

            client.settled(ID);
            assertThat(cluster.requests().on(ApiKeys.WRITE_TXN_MARKERS).list())
                    .singleElement()
                    .satisfies(request -> {
                        assertThat(request.version()).isEqualTo((short) version);
                        assertThat(((WriteTxnMarkersRequestData) request.request())
                                        .markers()
                                        .get(0)
                                        .transactionVersion())
                                .isEqualTo((byte) (version == 2 ? 2 : 0));
                    });
            assertThat(client.ends(topicId, 0)).isEqualTo(new Ends(2, 2));
        }
    }

    @ParameterizedTest(name = "the coordinator knows markers up to version {0}, the leader up to {1}")
    @CsvSource({"1,2,1", "2,1,1", "2,2,2"})
    void unlikeNodesUseTheVersionThatBothKnow(int coordinators, int leaders, int used) throws Exception {
        ClusterSettings settings = ClusterSettings.builder()
                .nodes(2)
                .cap(0, ApiKeys.WRITE_TXN_MARKERS, coordinators)
                .cap(1, ApiKeys.WRITE_TXN_MARKERS, leaders)
                .build();
        try (ReferenceCluster cluster = ReferenceCluster.start(settings);
                TransactionClient coordinator = TransactionClient.of(cluster, 0);
                TransactionClient leader = TransactionClient.of(cluster, 1)) {
            Uuid topicId = leader.createTopic(TOPIC, 1);
            cluster.moveLeader(new TopicPartition(TOPIC, 0), 1);
            coordinator.coordinator(ID, 1);
            cluster.moveTransactionCoordinator(ID, 0);
            Identity e0 = coordinator.initialised(ID, 60_000);
            assertThat(leader.produce(12, ID, e0, TOPIC, topicId, 0, 0)).isEqualTo(NONE);

            assertThat(coordinator.end(5, ID, e0, true)).isEqualTo(e0.at(1));

            coordinator.settled(ID);
            assertThat(cluster.requests().on(ApiKeys.WRITE_TXN_MARKERS).list())
                    .singleElement()
                    .satisfies(request -> assertThat(request.version()).isEqualTo((short) used));
            assertThat(leader.ends(topicId, 0)).isEqualTo(new Ends(2, 2));
        }
    }

    /** The connection stays open, and nothing comes on it any more. */
    @ParameterizedTest(name = "the markers are written: {0}")
    @ValueSource(booleans = {false, true})
    void aLeaderThatNeverAnswersIsAskedAgain(boolean written) throws Exception {
        try (ReferenceCluster cluster = ReferenceCluster.start(impatient());
                TransactionClient client = TransactionClient.of(cluster, 0)) {
            Uuid topicId = client.createTopic(TOPIC, 1);
            client.coordinator(ID, 1);
            Identity e0 = client.initialised(ID, 60_000);
            assertThat(client.produce(12, ID, e0, TOPIC, topicId, 0, 0)).isEqualTo(NONE);
            Fault silent = cluster.faults().on(ApiKeys.WRITE_TXN_MARKERS);
            FaultRule rule = written ? silent.dropAfterHandling() : silent.dropBeforeHandling();

            assertThat(client.end(5, ID, e0, true)).isEqualTo(e0.at(1));

            client.settled(ID);
            assertThat(rule.hits()).isEqualTo(1);
            long end = client.ends(topicId, 0).highWatermark();
            assertThat(client.ends(topicId, 0)).isEqualTo(new Ends(end, end));
        }
    }

    @Test
    void aCoordinatorThatNeverVerifiesCostsOneProduceRequest() throws Exception {
        try (ReferenceCluster cluster = ReferenceCluster.start(impatient());
                TransactionClient client = TransactionClient.of(cluster, 0)) {
            Uuid topicId = client.createTopic(TOPIC, 1);
            client.coordinator(ID, 1);
            Identity e0 = client.initialised(ID, 60_000);
            cluster.faults().on(ApiKeys.ADD_PARTITIONS_TO_TXN).dropBeforeHandling();

            assertThat(client.produce(12, ID, e0, TOPIC, topicId, 0, 0)).isEqualTo(NOT_ENOUGH_REPLICAS);
            assertThat(client.produce(12, ID, e0, TOPIC, topicId, 0, 0)).isEqualTo(NONE);
        }
    }

    @Test
    void aMarkerThatIsHeldHoldsNoOtherTransaction() throws Exception {
        try (ReferenceCluster cluster = ReferenceCluster.start();
                TransactionClient client = TransactionClient.of(cluster, 0)) {
            Uuid topicId = client.createTopic(TOPIC, 2);
            client.coordinator(ID, 1);
            Identity e0 = client.initialised(ID, 60_000);
            Identity other = client.initialised("other", 60_000);
            assertThat(client.produce(12, ID, e0, TOPIC, topicId, 0, 0)).isEqualTo(NONE);
            FaultRule held = cluster.faults().on(ApiKeys.WRITE_TXN_MARKERS).hold();
            Identity e1 = client.end(5, ID, e0, true);
            held.awaitHit();

            assertThat(client.produce(12, "other", other, TOPIC, topicId, 1, 0)).isEqualTo(NONE);
            assertThat(client.produce(12, ID, e1, TOPIC, topicId, 0, 0)).isEqualTo(CONCURRENT_TRANSACTIONS);

            held.release();
            client.settled(ID);
            assertThat(client.produce(12, ID, e1, TOPIC, topicId, 0, 0)).isEqualTo(NONE);
        }
    }

    private static ClusterSettings impatient() {
        return ClusterSettings.builder().nodeProperty("request.timeout.ms", 300).build();
    }
}
