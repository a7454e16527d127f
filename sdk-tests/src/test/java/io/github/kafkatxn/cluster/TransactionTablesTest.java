package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.TransactionClient.waiting;
import static org.apache.kafka.common.protocol.Errors.CONCURRENT_TRANSACTIONS;
import static org.apache.kafka.common.protocol.Errors.INVALID_PRODUCER_EPOCH;
import static org.apache.kafka.common.protocol.Errors.INVALID_PRODUCER_ID_MAPPING;
import static org.apache.kafka.common.protocol.Errors.INVALID_REQUEST;
import static org.apache.kafka.common.protocol.Errors.INVALID_TRANSACTION_TIMEOUT;
import static org.apache.kafka.common.protocol.Errors.INVALID_TXN_STATE;
import static org.apache.kafka.common.protocol.Errors.NONE;
import static org.apache.kafka.common.protocol.Errors.OPERATION_NOT_ATTEMPTED;
import static org.apache.kafka.common.protocol.Errors.PRODUCER_FENCED;
import static org.apache.kafka.common.protocol.Errors.TRANSACTION_ABORTABLE;
import static org.apache.kafka.common.protocol.Errors.TRANSACTION_COORDINATOR_FENCED;
import static org.apache.kafka.common.protocol.Errors.UNKNOWN_TOPIC_OR_PARTITION;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.TransactionClient.Batch;
import io.github.kafkatxn.cluster.TransactionClient.Ends;
import io.github.kafkatxn.cluster.TransactionClient.Identity;
import io.github.kafkatxn.cluster.TransactionClient.MarkerFields;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What an Apache Kafka of one node answered to the same requests, with transaction version 2: the numbers in the
 * comments are those of the measurement.
 */
@Timeout(60)
@SuppressWarnings("NullAway")
class TransactionTablesTest {
    private static final String ID = "tables";
    private static final String TOPIC = "t";

    private final ReferenceCluster cluster = ReferenceCluster.start();
    private final TransactionClient client = TransactionClient.of(cluster, 0);
    private final Uuid topicId = client.createTopic(TOPIC, 8);

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
    void initialising() {
        Identity first = client.initialised(ID, 60_000);
        assertThat(first.epoch()).as("A1").isZero();
        assertThat(client.init(5, ID, 60_000, -1, -1)).as("A2").isEqualTo(first.at(1));
        assertThat(client.init(ID, first).error()).as("A3").isEqualTo(PRODUCER_FENCED);
        assertThat(client.init(3, ID, 60_000, first.producerId(), 0).error())
                .as("A3, version 3")
                .isEqualTo(INVALID_PRODUCER_EPOCH);
        assertThat(client.init(ID, first.at(1))).as("A4").isEqualTo(first.at(2));
        assertThat(client.init(ID, first.at(1))).as("A5").isEqualTo(first.at(2));
        assertThat(client.init(ID, first.at(2).with(first.producerId() + 77)).error())
                .as("A6")
                .isEqualTo(PRODUCER_FENCED);
        assertThat(client.init(ID, first.at(-1)).error()).as("A7").isEqualTo(INVALID_REQUEST);
        assertThat(client.init(5, ID, 0, -1, -1).error()).as("A8").isEqualTo(INVALID_TRANSACTION_TIMEOUT);
        assertThat(client.init(5, ID, 900_001, -1, -1).error()).as("A8").isEqualTo(INVALID_TRANSACTION_TIMEOUT);
        assertThat(client.init(5, "", 60_000, -1, -1).error()).as("A10").isEqualTo(INVALID_REQUEST);
        Identity idempotent = client.init(5, null, 60_000, -1, -1);
        assertThat(idempotent.error()).as("A11").isEqualTo(NONE);
        assertThat(idempotent.epoch()).as("A11").isZero();
        assertThat(idempotent.producerId()).as("A11").isNotEqualTo(first.producerId());
    }

    @Test
    void endingWithoutATransaction() {
        Identity e0 = client.initialised(ID, 60_000);

        assertThat(client.end(4, ID, e0, false).error()).as("B1").isEqualTo(INVALID_TXN_STATE);
        assertThat(client.end(5, ID, e0, true)).as("B2").isEqualTo(Identity.of(INVALID_TXN_STATE, -1, -1));
        assertThat(client.end(5, ID, e0, false)).as("B3").isEqualTo(e0.at(1));
        assertThat(client.ended(5, ID, e0, false)).as("B4").isEqualTo(e0.at(1));
        assertThat(client.end(5, ID, e0.at(1), false)).as("B5").isEqualTo(e0.at(2));
    }

    @Test
    void aStaleInitialisationAbortsTheOpenTransaction() {
        Identity e2 = atEpoch(2);
        assertThat(produce(12, e2, 0, 0)).as("C1").isEqualTo(NONE);

        assertThat(client.init(ID, e2.at(1)).error()).as("C1h").isEqualTo(CONCURRENT_TRANSACTIONS);

        assertThat(client.ended(5, ID, e2, false)).as("C4").isEqualTo(e2.at(3));
        assertThat(client.end(5, ID, e2, true).error()).as("C2").isEqualTo(INVALID_TXN_STATE);
        assertThat(client.end(5, ID, e2.at(1), true).error()).as("C6").isEqualTo(PRODUCER_FENCED);
        assertThat(client.end(2, ID, e2.at(1), true).error()).as("C6").isEqualTo(PRODUCER_FENCED);
        assertThat(client.end(1, ID, e2.at(1), true).error()).as("C6").isEqualTo(INVALID_PRODUCER_EPOCH);
        assertThat(client.end(5, ID, e2.with(e2.producerId() + 77), true).error())
                .as("C9")
                .isEqualTo(INVALID_PRODUCER_ID_MAPPING);
        assertThat(client.end(5, "nobody", e2, true).error()).as("C9").isEqualTo(INVALID_PRODUCER_ID_MAPPING);
        assertThat(produce(12, e2.at(3), 0, 0)).as("C12").isEqualTo(NONE);
        assertThat(client.end(5, ID, e2.at(3), false)).as("C13").isEqualTo(e2.at(4));
        client.settled(ID);
        assertThat(client.batches(topicId, 0))
                .as("C13")
                .containsExactly(
                        new Batch(0, 2, false), new Batch(1, 3, true), new Batch(2, 3, false), new Batch(3, 4, true));
        assertThat(client.fetch(topicId, 0).abortedTransactions())
                .as("C13")
                .extracting(aborted -> aborted.firstOffset())
                .containsExactly(0L, 2L);
    }

    @Test
    void addingPartitionsTheOldWay() {
        Identity e4 = atEpoch(4);

        assertThat(produce(11, e4, 3, 0)).as("D1").isEqualTo(TRANSACTION_ABORTABLE);
        assertThat(produce(10, e4, 3, 0)).as("D1, version 10").isEqualTo(INVALID_TXN_STATE);
        assertThat(client.add(3, ID, e4, TOPIC, 3, 99))
                .as("D2")
                .containsExactly(OPERATION_NOT_ATTEMPTED, UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(client.add(3, ID, e4.at(3), TOPIC, 3)).as("D3").containsExactly(PRODUCER_FENCED);
        assertThat(client.add(1, ID, e4.at(3), TOPIC, 3)).as("D3, version 1").containsExactly(INVALID_PRODUCER_EPOCH);
        assertThat(client.add(3, ID, e4.with(e4.producerId() + 77), TOPIC, 3))
                .as("D3, other producer")
                .containsExactly(INVALID_PRODUCER_ID_MAPPING);
        assertThat(client.add(3, ID, e4, TOPIC, 3)).as("D4").containsExactly(NONE);
        assertThat(produce(11, e4, 3, 0)).as("D4").isEqualTo(NONE);
        assertThat(client.addBatched(5, ID, e4, true, TOPIC, 3, 4))
                .as("D6")
                .containsExactly(NONE, TRANSACTION_ABORTABLE);
        assertThat(client.end(4, ID, e4, true).error()).as("D7").isEqualTo(NONE);
        assertThat(client.ended(4, ID, e4, true).error()).as("D7, again").isEqualTo(NONE);
        assertThat(client.end(4, ID, e4, false).error()).as("D7, abort").isEqualTo(INVALID_TXN_STATE);
        assertThat(client.add(3, ID, e4, TOPIC, 3)).as("D10").containsExactly(NONE);
        assertThat(produce(11, e4, 3, 1)).as("D10, the next sequence").isEqualTo(NONE);
        assertThat(client.end(5, ID, e4, true)).as("D12").isEqualTo(e4.at(5));
    }

    @Test
    void markersByHand() {
        Identity e5 = atEpoch(5);
        assertThat(produce(12, e5, 5, 0)).isEqualTo(NONE);
        assertThat(client.ends(topicId, 5)).isEqualTo(new Ends(1, 0));

        assertThat(mark(2, e5, true, 2, 5)).as("E1").isEqualTo(INVALID_PRODUCER_EPOCH);
        assertThat(mark(2, e5.at(4), true, 2, 5)).as("E2").isEqualTo(INVALID_PRODUCER_EPOCH);
        assertThat(mark(1, e5.at(4), true, 0, 5)).as("E2, version 1").isEqualTo(INVALID_PRODUCER_EPOCH);
        assertThat(client.ends(topicId, 5)).as("nothing appended").isEqualTo(new Ends(1, 0));
        assertThat(mark(2, e5.at(6), true, 2, 5)).as("E4").isEqualTo(NONE);
        assertThat(client.ends(topicId, 5)).as("E4").isEqualTo(new Ends(2, 2));
        assertThat(mark(2, e5.at(6), true, 2, 5)).as("E5").isEqualTo(NONE);
        assertThat(client.ends(topicId, 5)).as("E5").isEqualTo(new Ends(3, 3));
        assertThat(mark(2, e5.at(6), false, 2, 5)).as("E5b").isEqualTo(NONE);
        assertThat(client.ends(topicId, 5)).as("E5b").isEqualTo(new Ends(4, 4));
        assertThat(mark(1, e5.at(6), true, 0, 5)).as("E6").isEqualTo(NONE);
        assertThat(client.ends(topicId, 5)).as("E6").isEqualTo(new Ends(5, 5));
        assertThat(client.mark(2, e5.at(6), new MarkerFields(true, -1, 2), TOPIC, 5))
                .as("E7")
                .isEqualTo(TRANSACTION_COORDINATOR_FENCED);
        assertThat(mark(2, e5.with(e5.producerId() + 77), true, 2, 6)).as("E8").isEqualTo(NONE);
        assertThat(client.ends(topicId, 6)).as("E8").isEqualTo(new Ends(1, 1));
        assertThat(mark(2, e5.at(6), true, 2, 99)).as("E9").isEqualTo(UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(client.end(5, ID, e5, true)).as("E10").isEqualTo(e5.at(6));
        client.settled(ID);
        assertThat(client.ends(topicId, 5)).as("E10").isEqualTo(new Ends(6, 6));
        assertThat(client.state(ID)).as("E10").isEqualTo("CompleteCommit");
    }

    @Test
    void replacedByAnotherInstance() {
        Identity e0 = client.initialised(ID, 60_000);
        assertThat(produce(12, e0, 0, 0)).isEqualTo(NONE);

        assertThat(client.init(5, ID, 60_000, -1, -1).error()).as("G2").isEqualTo(CONCURRENT_TRANSACTIONS);
        assertThat(client.initialised(ID, 60_000)).as("G2, later").isEqualTo(e0.at(2));

        assertThat(produce(12, e0, 0, 1)).as("G3").isEqualTo(INVALID_PRODUCER_EPOCH);
        assertThat(client.end(5, ID, e0, true).error()).as("G4").isEqualTo(PRODUCER_FENCED);
        assertThat(client.end(5, ID, e0, false).error()).as("G4, abort").isEqualTo(PRODUCER_FENCED);
        assertThat(client.batches(topicId, 0)).as("G4").containsExactly(new Batch(0, 0, false), new Batch(1, 1, true));
    }

    @Test
    void abortedByTimeout() {
        Identity e0 = client.initialised(ID, 500);
        assertThat(produce(12, e0, 0, 0)).isEqualTo(NONE);

        untilAborted();

        assertThat(client.ends(topicId, 0)).as("H1").isEqualTo(new Ends(2, 2));
        assertThat(produce(12, e0, 0, 1)).as("H2").isEqualTo(INVALID_PRODUCER_EPOCH);
        assertThat(produce(12, e0, 1, 0)).as("H2, other partition").isEqualTo(INVALID_PRODUCER_EPOCH);
        assertThat(client.end(5, ID, e0, true).error()).as("H5").isEqualTo(INVALID_TXN_STATE);
        assertThat(client.end(5, ID, e0, false)).as("H6").isEqualTo(e0.at(1));
        assertThat(client.init(ID, e0)).as("H7").isEqualTo(e0.at(1));
        assertThat(client.init(ID, e0)).as("H7, again").isEqualTo(e0.at(1));
    }

    @Test
    void abortedByTimeoutTheOldWay() {
        Identity e0 = client.initialised(ID, 500);
        assertThat(client.add(3, ID, e0, TOPIC, 0)).containsExactly(NONE);

        untilAborted();

        assertThat(produce(11, e0, 0, 0)).as("I2").isEqualTo(INVALID_PRODUCER_EPOCH);
        assertThat(client.end(4, ID, e0, true).error()).as("I3").isEqualTo(PRODUCER_FENCED);
        assertThat(client.end(4, ID, e0, false).error()).as("I3, abort").isEqualTo(PRODUCER_FENCED);
        assertThat(client.init(ID, e0)).as("I5").isEqualTo(e0.at(1));
    }

    @Test
    void repeatedEnds() {
        Identity e0 = client.initialised(ID, 60_000);
        assertThat(produce(12, e0, 0, 0)).isEqualTo(NONE);

        assertThat(client.end(5, ID, e0, true)).as("K2").isEqualTo(e0.at(1));
        assertThat(client.ended(5, ID, e0, true)).as("K3").isEqualTo(e0.at(1));
        assertThat(client.end(5, ID, e0, false).error()).as("K4").isEqualTo(INVALID_TXN_STATE);
        assertThat(client.end(5, ID, e0.at(1), true).error()).as("K5").isEqualTo(INVALID_TXN_STATE);
        assertThat(client.end(5, ID, e0.at(1), false)).as("K6").isEqualTo(e0.at(2));
        assertThat(client.ended(5, ID, e0.at(1), false)).as("K6, again").isEqualTo(e0.at(2));
        assertThat(client.end(5, ID, e0, true).error()).as("K8").isEqualTo(PRODUCER_FENCED);
        assertThat(produce(12, e0.at(2), 0, 0)).as("K10").isEqualTo(NONE);
        assertThat(client.end(4, ID, e0.at(2), true).error()).as("K10").isEqualTo(NONE);
        assertThat(client.ended(4, ID, e0.at(2), true).error()).as("K10, again").isEqualTo(NONE);
        assertThat(produce(12, e0.at(2), 0, 1)).as("K11").isEqualTo(NONE);
        assertThat(client.end(5, ID, e0.at(2), false)).as("K11").isEqualTo(e0.at(3));
        client.settled(ID);
        assertThat(produce(13, e0.at(3), 0, 0)).as("K13").isEqualTo(NONE);
        assertThat(client.add(3, ID, e0.at(3), TOPIC, 0)).as("K13, v3").containsExactly(NONE);
        assertThat(client.addBatched(5, ID, e0.at(3), false, TOPIC, 1))
                .as("K13, v5")
                .containsExactly(NONE);
        assertThat(client.end(5, ID, e0.at(3), true)).as("K17").isEqualTo(e0.at(4));
        client.settled(ID);
        assertThat(client.batches(topicId, 1)).as("K17").containsExactly(new Batch(0, 4, true));
    }

    @Test
    void theEpochOverflows() {
        Identity last = client.initialised(ID, 60_000);
        while (last.epoch() < 32_765) {
            last = client.init(5, ID, 60_000, -1, -1);
            assertThat(last.error()).isEqualTo(NONE);
        }
        Identity exhausted = last.at(32_766);

        assertThat(produce(12, last, 0, 0)).as("L3").isEqualTo(NONE);
        assertThat(client.end(5, ID, last, true)).as("L3").isEqualTo(exhausted);
        client.settled(ID);
        assertThat(produce(12, exhausted, 0, 0)).as("L5").isEqualTo(NONE);
        Identity fresh = client.end(5, ID, exhausted, true);
        assertThat(fresh.error()).as("L5").isEqualTo(NONE);
        assertThat(fresh.epoch()).as("L5").isZero();
        assertThat(fresh.producerId()).as("L5").isNotEqualTo(last.producerId());
        assertThat(client.ended(5, ID, exhausted, true)).as("L6").isEqualTo(fresh);
        assertThat(client.batches(topicId, 0))
                .as("L5")
                .endsWith(new Batch(2, 32_766, false), new Batch(3, 32_767, true));
        assertThat(client.end(5, ID, exhausted, false).error()).as("L7").isEqualTo(INVALID_TXN_STATE);
        assertThat(client.init(ID, exhausted)).as("L8").isEqualTo(fresh);
        assertThat(client.init(ID, last).error()).as("L9").isEqualTo(PRODUCER_FENCED);
        assertThat(client.init(ID, exhausted).error())
                .as("any change makes the old producer id unknown")
                .isEqualTo(PRODUCER_FENCED);
    }

    /** A fresh id whose epoch has been bumped by aborts without a transaction. */
    private Identity atEpoch(int epoch) {
        Identity identity = client.initialised(ID, 60_000);
        while (identity.epoch() < epoch) {
            identity = client.ended(5, ID, identity, false);
            assertThat(identity.error()).isEqualTo(NONE);
        }
        client.settled(ID);
        return identity;
    }

    private void untilAborted() {
        String state = waiting(() -> client.state(ID), last -> !last.startsWith("Complete"));
        assertThat(state).isEqualTo("CompleteAbort");
    }

    /** Waits, as the broker itself does for a while. */
    private Errors produce(int version, Identity producer, int partition, int sequence) {
        return waiting(
                () -> client.produce(version, ID, producer, TOPIC, topicId, partition, sequence),
                error -> error == CONCURRENT_TRANSACTIONS);
    }

    private Errors mark(int version, Identity producer, boolean commit, int transactionVersion, int partition) {
        return client.mark(version, producer, new MarkerFields(commit, 0, transactionVersion), TOPIC, partition);
    }
}
