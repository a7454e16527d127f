package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddOffsetsToTxnResponseData;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Offsets in transactions, request by request, as they were measured at a real broker. */
@Timeout(60)
class TransactionalOffsetsTest {
    private static final String GROUP = "group";
    private static final String ID = "txn";

    private final ReferenceCluster cluster = ReferenceCluster.start();
    private RawClient connection;
    private Uuid topicId;
    private long producerId;

    @BeforeEach
    void initializeProducer() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()))) {
            topicId = admin.createTopics(List.of(new NewTopic("in", 1, (short) 1)))
                    .topicId("in")
                    .get();
        }
        connection = new RawClient(cluster, 0);
        findCoordinator(0, GROUP);
        findCoordinator(1, ID);
        InitProducerIdResponseData response = connection.send(
                new InitProducerIdRequestData().setTransactionalId(ID).setTransactionTimeoutMs(60_000),
                4,
                InitProducerIdResponseData.class);
        producerId = response.producerId();
        assertThat(response.producerEpoch()).isZero();
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
        cluster.close();
    }

    @Test
    void theTableOfOffsets() throws Exception {
        assertThat(commit(4, 0, -1, "", 0, 7)).as("F1").isEqualTo(Errors.TRANSACTION_ABORTABLE);
        assertThat(commit(3, 0, -1, "", 0, 7)).as("F1").isEqualTo(Errors.INVALID_TXN_STATE);
        assertThat(commit(5, 0, 5, "m", 0, 7)).as("F2").isEqualTo(Errors.ILLEGAL_GENERATION);
        assertThat(commit(5, 0, -1, "", 0, 7)).as("F3").isEqualTo(Errors.NONE);
        assertThat(commit(5, 0, -1, "", 99, 7)).as("F4").isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION);

        assertThat(fetch(true).errorCode()).as("F5").isEqualTo(Errors.UNSTABLE_OFFSET_COMMIT.code());
        assertThat(fetch(true).committedOffset()).as("F5").isEqualTo(-1);
        assertThat(fetch(false).errorCode()).as("F5").isEqualTo(Errors.NONE.code());
        assertThat(fetch(false).committedOffset()).as("F5").isEqualTo(-1);

        assertThat(commit(5, 1, -1, "", 0, 7)).as("F7, e 1").isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        producerId++;
        assertThat(commit(5, 0, -1, "", 0, 7)).as("F7, other pid").isEqualTo(Errors.INVALID_PRODUCER_ID_MAPPING);
        assertThat(commitAs("nobody", 5, 0, 0, 7)).as("F7, unknown id").isEqualTo(Errors.INVALID_PRODUCER_ID_MAPPING);
        producerId--;

        assertThat(end(5, 0, true)).as("F10").isEqualTo(Errors.NONE);
        Awaitility.await().until(() -> fetch(true).committedOffset() == 7);

        addOffsets(1);
        assertThat(commit(4, 1, -1, "", 0, 9)).as("F12").isEqualTo(Errors.NONE);
        assertThat(end(4, 1, false)).as("F12").isEqualTo(Errors.NONE);
        Awaitility.await().until(() -> fetch(true).errorCode() == Errors.NONE.code());
        assertThat(fetch(true).committedOffset()).as("F12").isEqualTo(7);
    }

    @Test
    void topicIdsOfVersionSix() throws Exception {
        assertThat(commit(6, 0, 5, "m", 0, 7)).isEqualTo(Errors.GROUP_ID_NOT_FOUND);
        TxnOffsetCommitRequestData request = request(ID, 0, -1, "", 0, 7);
        request.topics().get(0).partitions().add(new TxnOffsetCommitRequestPartition().setPartitionIndex(9));
        request.topics()
                .add(new TxnOffsetCommitRequestTopic()
                        .setTopicId(Uuid.randomUuid())
                        .setPartitions(List.of(new TxnOffsetCommitRequestPartition().setPartitionIndex(0))));
        TxnOffsetCommitResponseData response = connection.send(request, 6, TxnOffsetCommitResponseData.class);
        assertThat(response.topics().stream()
                        .flatMap(topic -> topic.partitions().stream()
                                .map(partition -> topic.topicId().equals(topicId) + "-" + partition.partitionIndex()
                                        + " " + Errors.forCode(partition.errorCode()))))
                .containsExactlyInAnyOrder(
                        "true-0 NONE", "true-9 UNKNOWN_TOPIC_OR_PARTITION", "false-0 UNKNOWN_TOPIC_ID");
    }

    private Errors commit(int version, int epoch, int generation, String member, int partition, long offset)
            throws IOException {
        return error(version, request(ID, epoch, generation, member, partition, offset));
    }

    private Errors commitAs(String id, int version, int epoch, int partition, long offset) throws IOException {
        return error(version, request(id, epoch, -1, "", partition, offset));
    }

    /** A transaction that is still being completed by its coordinator is waited for, as clients do. */
    private Errors error(int version, TxnOffsetCommitRequestData request) throws IOException {
        while (true) {
            Errors error = Errors.forCode(connection
                    .send(request, version, TxnOffsetCommitResponseData.class)
                    .topics()
                    .get(0)
                    .partitions()
                    .get(0)
                    .errorCode());
            if (error != Errors.CONCURRENT_TRANSACTIONS) {
                return error;
            }
        }
    }

    private TxnOffsetCommitRequestData request(
            String id, int epoch, int generation, String member, int partition, long offset) {
        return new TxnOffsetCommitRequestData()
                .setGroupId(GROUP)
                .setTransactionalId(id)
                .setProducerId(producerId)
                .setProducerEpoch((short) epoch)
                .setGenerationIdOrMemberEpoch(generation)
                .setMemberId(member)
                .setTopics(new ArrayList<>(List.of(new TxnOffsetCommitRequestTopic()
                        .setName("in")
                        .setTopicId(topicId)
                        .setPartitions(new ArrayList<>(List.of(new TxnOffsetCommitRequestPartition()
                                .setPartitionIndex(partition)
                                .setCommittedOffset(offset)))))));
    }

    private OffsetFetchResponsePartitions fetch(boolean requireStable) throws IOException {
        OffsetFetchRequestData request = new OffsetFetchRequestData()
                .setRequireStable(requireStable)
                .setGroups(List.of(new OffsetFetchRequestGroup()
                        .setGroupId(GROUP)
                        .setTopics(List.of(
                                new OffsetFetchRequestTopics().setName("in").setPartitionIndexes(List.of(0))))));
        return connection
                .send(request, 8, OffsetFetchResponseData.class)
                .groups()
                .get(0)
                .topics()
                .get(0)
                .partitions()
                .get(0);
    }

    private void addOffsets(int epoch) {
        Awaitility.await()
                .until(() -> connection
                                .send(
                                        new AddOffsetsToTxnRequestData()
                                                .setTransactionalId(ID)
                                                .setGroupId(GROUP)
                                                .setProducerId(producerId)
                                                .setProducerEpoch((short) epoch),
                                        3,
                                        AddOffsetsToTxnResponseData.class)
                                .errorCode()
                        == Errors.NONE.code());
    }

    private Errors end(int version, int epoch, boolean commit) throws IOException {
        return Errors.forCode(connection
                .send(
                        new EndTxnRequestData()
                                .setTransactionalId(ID)
                                .setProducerId(producerId)
                                .setProducerEpoch((short) epoch)
                                .setCommitted(commit),
                        version,
                        EndTxnResponseData.class)
                .errorCode());
    }

    private void findCoordinator(int type, String key) {
        Awaitility.await()
                .until(() -> connection
                                .send(
                                        new FindCoordinatorRequestData()
                                                .setKeyType((byte) type)
                                                .setCoordinatorKeys(List.of(key)),
                                        4,
                                        FindCoordinatorResponseData.class)
                                .coordinators()
                                .get(0)
                                .errorCode()
                        == Errors.NONE.code());
    }
}
