package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.DataRequests.fetch;
import static io.github.kafkatxn.cluster.DataRequests.idempotent;
import static io.github.kafkatxn.cluster.DataRequests.listOffsets;
import static io.github.kafkatxn.cluster.DataRequests.produce;
import static io.github.kafkatxn.cluster.DataRequests.transactional;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tables C, D, E and K of the broker rules, as they were measured on Apache Kafka, with raw requests. */
@Timeout(60)
class DataTablesTest {
    private static final String TOPIC = "t";
    private static final String ID = "txn";
    private static final boolean COMMIT = true;
    private static final boolean ABORT = false;
    private static final int READ_UNCOMMITTED = 0;
    private static final int READ_COMMITTED = 1;

    private ReferenceCluster cluster;
    private RawClient node;
    private Uuid topicId;
    private long pid;

    @BeforeEach
    void start() throws Exception {
        cluster = ReferenceCluster.start();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            topicId = admin.createTopics(List.of(new NewTopic(TOPIC, 8, (short) 1)))
                    .topicId(TOPIC)
                    .get();
        }
        node = new RawClient(cluster, 0);
        Awaitility.await().until(() -> coordinatorIsThere(ID));
        pid = init(-1, -1).producerId();
    }

    @AfterEach
    void stop() throws IOException {
        node.close();
        cluster.close();
    }

    @Test
    void tableC() throws IOException {
        init(-1, -1);
        init(-1, -1);
        assertAt(0, produceV12(0, 2, 0));
        assertEnds(0, 1, 0);
        assertAt(0, produceV12(0, 2, 0));
        assertError(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, produceV12(0, 2, 5));
        assertError(Errors.INVALID_TXN_STATE, send(12, 0, idempotent(pid, 2, 1)));
        assertError(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, produceV12(1, 2, 3));
        assertError(Errors.INVALID_PRODUCER_EPOCH, produceV12(0, 1, 0));
        assertError(Errors.INVALID_PRODUCER_EPOCH, produceV12(2, 3, 0));
        assertThat(initOnce(pid, 1).errorCode())
                .as("and the transaction is aborted")
                .isEqualTo(Errors.CONCURRENT_TRANSACTIONS.code());
        assertThat(end(5, 2, COMMIT).errorCode()).isEqualTo(Errors.INVALID_TXN_STATE.code());
        assertThat(end(5, 2, ABORT).producerEpoch()).isEqualTo((short) 3);
        assertError(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, produceV12(0, 3, 1));
        assertAt(2, produceV12(0, 3, 0));
        assertThat(end(5, 3, ABORT).producerEpoch()).isEqualTo((short) 4);
        Awaitility.await().untilAsserted(() -> assertEnds(0, 4, 4));
        PartitionData data = fetchCommitted(0);
        assertThat(epochs(data)).containsExactly("2", "3 control", "3", "4 control");
        assertThat(data.abortedTransactions())
                .extracting(aborted -> aborted.producerId() + ":" + aborted.firstOffset())
                .containsExactly(pid + ":0", pid + ":2");
    }

    @Test
    void tableD() throws IOException {
        assertError(Errors.TRANSACTION_ABORTABLE, send(11, 3, transactional(pid, 0, 0)));
        assertError(Errors.INVALID_TXN_STATE, send(10, 3, transactional(pid, 0, 0)));
        assertThat(addV3(0, 3)).isEqualTo(Errors.NONE);
        assertAt(0, send(11, 3, transactional(pid, 0, 0)));
        assertThat(end(4, 0, COMMIT).errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(end(4, 0, ABORT).errorCode()).isEqualTo(Errors.INVALID_TXN_STATE.code());
        assertThat(addV3(0, 3)).isEqualTo(Errors.NONE);
        assertAt(2, send(11, 3, transactional(pid, 0, 1)));
        assertThat(end(5, 0, COMMIT).producerEpoch()).isEqualTo((short) 1);
    }

    @Test
    void tableE() throws IOException {
        for (int epoch = 0; epoch < 5; epoch++) {
            init(-1, -1);
        }
        assertAt(0, produceV12(5, 5, 0));
        assertThat(marker(2, 5, 5, COMMIT, 0)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        assertThat(marker(2, 5, 4, COMMIT, 0)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        assertThat(marker(1, 5, 4, COMMIT, 0)).isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        assertEnds(5, 1, 0);
        assertThat(marker(2, 5, 6, COMMIT, 0)).isEqualTo(Errors.NONE);
        assertEnds(5, 2, 2);
        assertThat(marker(2, 5, 6, COMMIT, 0)).isEqualTo(Errors.NONE);
        assertEnds(5, 3, 3);
        assertThat(marker(2, 5, 6, ABORT, 0)).isEqualTo(Errors.NONE);
        assertEnds(5, 4, 4);
        assertThat(marker(1, 5, 6, COMMIT, 0)).isEqualTo(Errors.NONE);
        assertEnds(5, 5, 5);
        assertThat(marker(2, 5, 6, COMMIT, -1)).isEqualTo(Errors.TRANSACTION_COORDINATOR_FENCED);
        assertThat(marker(2, 6, 6, COMMIT, 0)).isEqualTo(Errors.NONE);
        assertEnds(6, 1, 1);
        assertThat(marker(2, 99, 6, COMMIT, 0)).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        assertThat(end(5, 5, COMMIT).producerEpoch()).isEqualTo((short) 6);
        Awaitility.await().untilAsserted(() -> assertEnds(5, 6, 6));
    }

    @Test
    void tableK() throws IOException {
        assertAt(0, produceV12(0, 0, 0));
        assertThat(end(5, 0, COMMIT).producerEpoch()).isEqualTo((short) 1);
        assertThat(end(5, 0, COMMIT).producerEpoch()).isEqualTo((short) 1);
        assertThat(end(5, 0, ABORT).errorCode()).isEqualTo(Errors.INVALID_TXN_STATE.code());
        assertThat(end(5, 1, COMMIT).errorCode()).isEqualTo(Errors.INVALID_TXN_STATE.code());
        assertThat(end(5, 1, ABORT).producerEpoch()).isEqualTo((short) 2);
        assertThat(end(5, 1, ABORT).producerEpoch()).isEqualTo((short) 2);
        assertThat(end(5, 0, COMMIT).errorCode()).isEqualTo(Errors.PRODUCER_FENCED.code());
        assertAt(2, produceV12(0, 2, 0));
        assertThat(end(4, 2, COMMIT).errorCode()).isEqualTo(Errors.NONE.code());
        assertThat(end(4, 2, COMMIT).errorCode()).isEqualTo(Errors.NONE.code());
        assertAt(4, produceV12(0, 2, 1));
        assertThat(end(5, 2, ABORT).producerEpoch()).isEqualTo((short) 3);
        assertAt(6, send(13, 0, transactional(pid, 3, 0)));
        assertThat(addV3(3, 0)).isEqualTo(Errors.NONE);
        assertThat(addV3(3, 1)).isEqualTo(Errors.NONE);
        assertThat(end(5, 3, COMMIT).producerEpoch()).isEqualTo((short) 4);
        Awaitility.await().untilAsserted(() -> assertEnds(1, 1, 1));
        assertThat(epochs(fetchCommitted(1))).containsExactly("4 control");
    }

    private boolean coordinatorIsThere(String id) throws IOException {
        FindCoordinatorRequestData request =
                new FindCoordinatorRequestData().setKeyType((byte) 1).setCoordinatorKeys(List.of(id));
        return node.send(request, 6, FindCoordinatorResponseData.class)
                        .coordinators()
                        .get(0)
                        .errorCode()
                == 0;
    }

    private InitProducerIdResponseData initOnce(long expectedPid, int expectedEpoch) throws IOException {
        InitProducerIdRequestData request = new InitProducerIdRequestData()
                .setTransactionalId(ID)
                .setTransactionTimeoutMs(60_000)
                .setProducerId(expectedPid)
                .setProducerEpoch((short) expectedEpoch);
        return node.send(request, 5, InitProducerIdResponseData.class);
    }

    private InitProducerIdResponseData init(long expectedPid, int expectedEpoch) {
        return Awaitility.await()
                .until(
                        () -> initOnce(expectedPid, expectedEpoch),
                        response -> !isWorthAnotherTry(response.errorCode()));
    }

    /** Waits while the transaction before completes. */
    private EndTxnResponseData end(int version, int epoch, boolean commit) {
        EndTxnRequestData request = new EndTxnRequestData()
                .setTransactionalId(ID)
                .setProducerId(pid)
                .setProducerEpoch((short) epoch)
                .setCommitted(commit);
        return Awaitility.await()
                .until(
                        () -> node.send(request, version, EndTxnResponseData.class),
                        response -> !isWorthAnotherTry(response.errorCode()));
    }

    private Errors addV3(int epoch, int partition) {
        AddPartitionsToTxnRequestData request = new AddPartitionsToTxnRequestData()
                .setV3AndBelowTransactionalId(ID)
                .setV3AndBelowProducerId(pid)
                .setV3AndBelowProducerEpoch((short) epoch);
        request.v3AndBelowTopics()
                .add(new AddPartitionsToTxnTopic().setName(TOPIC).setPartitions(List.of(partition)));
        short code = Awaitility.await()
                .until(
                        () -> node.send(request, 3, AddPartitionsToTxnResponseData.class)
                                .resultsByTopicV3AndBelow()
                                .find(TOPIC)
                                .resultsByPartition()
                                .find(partition)
                                .partitionErrorCode(),
                        error -> !isWorthAnotherTry(error));
        return Errors.forCode(code);
    }

    private static boolean isWorthAnotherTry(short code) {
        return code == Errors.CONCURRENT_TRANSACTIONS.code()
                || code == Errors.COORDINATOR_LOAD_IN_PROGRESS.code()
                || code == Errors.NOT_COORDINATOR.code();
    }

    private Errors marker(int version, int partition, int epoch, boolean commit, int coordinatorEpoch)
            throws IOException {
        WriteTxnMarkersRequestData request = new WriteTxnMarkersRequestData()
                .setMarkers(List.of(new WritableTxnMarker()
                        .setProducerId(pid)
                        .setProducerEpoch((short) epoch)
                        .setTransactionResult(commit)
                        .setCoordinatorEpoch(coordinatorEpoch)
                        .setTransactionVersion((byte) (version >= 2 ? 2 : 0))
                        .setTopics(List.of(
                                new WritableTxnMarkerTopic().setName(TOPIC).setPartitionIndexes(List.of(partition))))));
        return Errors.forCode(node.send(request, version, WriteTxnMarkersResponseData.class)
                .markers()
                .get(0)
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .errorCode());
    }

    private PartitionProduceResponse produceV12(int partition, int epoch, int sequence) {
        return send(12, partition, transactional(pid, epoch, sequence));
    }

    private PartitionProduceResponse send(int version, int partition, MemoryRecords records) {
        ProduceRequestData request = version >= 13
                ? produce("", topicId, partition, records)
                : produce(TOPIC, Uuid.ZERO_UUID, partition, records);
        request.setTransactionalId(ID);
        return Awaitility.await()
                .until(
                        () -> node.send(request, version, ProduceResponseData.class)
                                .responses()
                                .iterator()
                                .next()
                                .partitionResponses()
                                .get(0),
                        response -> response.errorCode() != Errors.CONCURRENT_TRANSACTIONS.code()
                                && response.errorCode() != Errors.NOT_ENOUGH_REPLICAS.code());
    }

    private PartitionData fetchCommitted(int partition) throws IOException {
        return node.send(
                        fetch("", topicId, partition, 0).setIsolationLevel((byte) READ_COMMITTED),
                        18,
                        FetchResponseData.class)
                .responses()
                .get(0)
                .partitions()
                .get(0);
    }

    private static List<String> epochs(PartitionData data) {
        List<String> epochs = new ArrayList<>();
        for (RecordBatch batch : ((MemoryRecords) data.records()).batches()) {
            epochs.add(batch.producerEpoch() + (batch.isControlBatch() ? " control" : ""));
        }
        return epochs;
    }

    private void assertEnds(int partition, long end, long stable) throws IOException {
        assertThat(latest(partition, READ_UNCOMMITTED)).as("high watermark").isEqualTo(end);
        assertThat(latest(partition, READ_COMMITTED)).as("last stable offset").isEqualTo(stable);
    }

    private long latest(int partition, int isolation) throws IOException {
        return node.send(listOffsets(TOPIC, partition, -1, isolation), 11, ListOffsetsResponseData.class)
                .topics()
                .get(0)
                .partitions()
                .get(0)
                .offset();
    }

    private static void assertAt(long offset, PartitionProduceResponse response) {
        assertThat(Errors.forCode(response.errorCode())).isEqualTo(Errors.NONE);
        assertThat(response.baseOffset()).isEqualTo(offset);
    }

    private static void assertError(Errors error, PartitionProduceResponse response) {
        assertThat(Errors.forCode(response.errorCode())).isEqualTo(error);
        assertThat(response.baseOffset()).isEqualTo(-1);
    }
}
