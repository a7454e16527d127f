package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.TransactionClient.waiting;
import static org.apache.kafka.common.protocol.Errors.CONCURRENT_TRANSACTIONS;
import static org.apache.kafka.common.protocol.Errors.INVALID_PRODUCER_EPOCH;
import static org.apache.kafka.common.protocol.Errors.INVALID_TXN_STATE;
import static org.apache.kafka.common.protocol.Errors.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.TransactionClient.Batch;
import io.github.kafkatxn.cluster.TransactionClient.Ends;
import io.github.kafkatxn.cluster.TransactionClient.Identity;
import io.github.kafkatxn.cluster.TransactionClient.MarkerFields;
import io.github.kafkatxn.cluster.fault.FaultRule;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes wrong between the steps of a transaction's end: markers that come late, twice, or from somebody else. */
@Timeout(60)
class TransactionScenariosTest {
    private static final String ID = "scenarios";
    private static final String TOPIC = "t";

    private final ReferenceCluster cluster = ReferenceCluster.start();
    private final TransactionClient client = TransactionClient.of(cluster, 0);
    private final Uuid topicId = client.createTopic(TOPIC, 2);

    @BeforeEach
    void coordinatorIsThere() {
        client.coordinator(ID, 1);
    }

    @AfterEach
    void end() throws Exception {
        client.close();
        cluster.close();
    }

    @Test
    void aMarkerWhoseAnswerIsLostIsAppendedAgain() {
        Identity e0 = client.initialised(ID, 60_000);
        assertThat(produce(12, e0, 0)).isEqualTo(NONE);
        FaultRule lost = cluster.faults().on(ApiKeys.WRITE_TXN_MARKERS).closeAfterHandling();

        assertThat(client.end(5, ID, e0, true)).isEqualTo(e0.at(1));

        lost.awaitHit();
        client.settled(ID);
        assertThat(client.batches(topicId, 0))
                .containsExactly(new Batch(0, 0, false), new Batch(1, 1, true), new Batch(2, 1, true));
    }

    @Test
    void anOldMarkerDoesNotCloseTheNextTransaction() {
        Identity e0 = client.initialised(ID, 60_000);
        assertThat(produce(12, e0, 0)).isEqualTo(NONE);
        assertThat(client.end(5, ID, e0, true)).isEqualTo(e0.at(1));
        client.settled(ID);
        assertThat(produce(12, e0.at(1), 0)).isEqualTo(NONE);

        assertThat(client.mark(2, e0.at(1), new MarkerFields(true, 0, 2), TOPIC, 0))
                .isEqualTo(INVALID_PRODUCER_EPOCH);

        assertThat(client.ends(topicId, 0)).isEqualTo(new Ends(3, 2));
    }

    @Test
    void aTopicThatIsDeletedDoesNotKeepATransactionFromCompleting() {
        Identity e0 = client.initialised(ID, 60_000);
        assertThat(produce(12, e0, 0)).isEqualTo(NONE);
        FaultRule prepared = cluster.faults().onTransaction(ID).holdBeforeMarkers();
        assertThat(client.end(5, ID, e0, true)).isEqualTo(e0.at(1));
        prepared.awaitHit();
        DeleteTopicsRequestData request = new DeleteTopicsRequestData().setTimeoutMs(10_000);
        request.topicNames().add(TOPIC);
        client.send(5, request, DeleteTopicsResponseData.class);

        prepared.release();

        client.settled(ID);
        assertThat(client.state(ID)).isEqualTo("CompleteCommit");
    }

    @Test
    void aReplacedProducerWritesNothingAnyMore() {
        Identity first = client.initialised(ID, 60_000);
        assertThat(produce(12, first, 0)).isEqualTo(NONE);
        FaultRule prepared = cluster.faults().onTransaction(ID).aborting().holdBeforeMarkers();
        assertThat(client.init(5, ID, 60_000, -1, -1).error()).isEqualTo(CONCURRENT_TRANSACTIONS);
        prepared.awaitHit();
        assertThat(client.init(5, ID, 60_000, -1, -1).error()).isEqualTo(CONCURRENT_TRANSACTIONS);
        prepared.release();

        Identity second = client.initialised(ID, 60_000);

        assertThat(second).isEqualTo(first.at(2));
        assertThat(produce(12, first, 1)).as("after the abort marker").isEqualTo(INVALID_PRODUCER_EPOCH);
        assertThat(produce(12, second, 0)).isEqualTo(NONE);
        assertThat(produce(12, first, 2)).as("after the other has written").isEqualTo(INVALID_PRODUCER_EPOCH);
        assertThat(client.end(5, ID, second, true)).isEqualTo(second.at(3));
        client.settled(ID);
        assertThat(client.batches(topicId, 0))
                .containsExactly(
                        new Batch(0, 0, false), new Batch(1, 1, true), new Batch(2, 2, false), new Batch(3, 3, true));
        assertThat(produce(10, second.at(3), 0)).as("nothing was added").isEqualTo(INVALID_TXN_STATE);
    }

    @Test
    void whileItCompletesEverybodyWaits() {
        Identity e0 = client.initialised(ID, 60_000);
        assertThat(produce(12, e0, 0)).isEqualTo(NONE);
        FaultRule written = cluster.faults().onTransaction(ID).holdBeforeComplete();

        Identity e1 = client.end(5, ID, e0, true);

        written.awaitHit();
        assertThat(client.ends(topicId, 0)).isEqualTo(new Ends(2, 2));
        assertThat(client.state(ID)).isEqualTo("PrepareCommit");
        assertThat(client.produce(12, ID, e1, TOPIC, topicId, 0, 0)).isEqualTo(CONCURRENT_TRANSACTIONS);
        assertThat(client.add(3, ID, e0.at(7), TOPIC, 0)).containsExactly(CONCURRENT_TRANSACTIONS);
        assertThat(client.end(5, ID, e1, true).error()).isEqualTo(CONCURRENT_TRANSACTIONS);
        assertThat(client.end(5, ID, e0, false).error()).isEqualTo(CONCURRENT_TRANSACTIONS);
        assertThat(client.init(ID, e0.with(e0.producerId() + 77)).error()).isEqualTo(CONCURRENT_TRANSACTIONS);

        written.release();

        client.settled(ID);
        assertThat(produce(12, e1, 0)).isEqualTo(NONE);
    }

    @Test
    void whoDoesNotVerifyTakesWhatWasNotAdded() throws Exception {
        ClusterSettings settings = ClusterSettings.builder()
                .nodeProperty("transaction.partition.verification.enable", false)
                .build();
        try (ReferenceCluster trusting = ReferenceCluster.start(settings);
                TransactionClient other = TransactionClient.of(trusting, 0)) {
            Uuid topic = other.createTopic(TOPIC, 1);
            other.coordinator(ID, 1);
            Identity e0 = other.initialised(ID, 60_000);

            assertThat(other.produce(11, ID, e0, TOPIC, topic, 0, 0)).isEqualTo(NONE);

            assertThat(other.ends(topic, 0)).isEqualTo(new Ends(1, 0));
            assertThat(other.state(ID)).isEqualTo("Empty");
            assertThat(trusting.requests().on(ApiKeys.ADD_PARTITIONS_TO_TXN).count())
                    .isZero();
        }
        Identity e0 = client.initialised(ID, 60_000);
        assertThat(client.produce(11, ID, e0, TOPIC, topicId, 0, 0)).isEqualTo(Errors.TRANSACTION_ABORTABLE);
    }

    /** As an unmodified producer, which waits for what completes. */
    private Errors produce(int version, Identity producer, int sequence) {
        return waiting(
                () -> client.produce(version, ID, producer, TOPIC, topicId, 0, sequence),
                error -> error == CONCURRENT_TRANSACTIONS);
    }
}
