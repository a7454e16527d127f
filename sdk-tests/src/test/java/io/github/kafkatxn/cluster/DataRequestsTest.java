package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.DataRequests.fetch;
import static io.github.kafkatxn.cluster.DataRequests.listOffsets;
import static io.github.kafkatxn.cluster.DataRequests.plain;
import static io.github.kafkatxn.cluster.DataRequests.produce;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchRequestData.ForgottenTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Produce, Fetch and what belongs to them in every version, on the wire. */
@Timeout(30)
class DataRequestsTest {
    private static final String TOPIC = "t";

    private ReferenceCluster cluster;
    private Admin admin;
    private RawClient node0;
    private Uuid id;

    @BeforeEach
    void start() throws Exception {
        cluster = ReferenceCluster.start(ClusterSettings.builder().nodes(2).build());
        admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
        id = create(TOPIC, Map.of());
        node0 = new RawClient(cluster, 0);
    }

    @AfterEach
    void stop() throws IOException {
        node0.close();
        admin.close();
        cluster.close();
    }

    @Test
    void everyVersionOfProduceAndFetch() throws Exception {
        for (int version = 3; version <= 13; version++) {
            PartitionProduceResponse produced = produceTo(0, plain("v" + version), version);
            assertThat(produced.errorCode()).as("v%d", version).isZero();
            assertThat(produced.baseOffset()).isEqualTo(version - 3L);
        }
        for (int version = 4; version <= 18; version++) {
            PartitionData data =
                    only(node0.send(byId(fetch(TOPIC, id, 0, 2), version), version, FetchResponseData.class));
            assertThat(data.errorCode()).as("v%d", version).isZero();
            assertThat(data.highWatermark()).isEqualTo(11);
            assertThat(data.lastStableOffset()).isEqualTo(11);
            assertThat(data.abortedTransactions()).isNull();
            assertThat(values(data)).startsWith("v5", "v6").hasSize(9);
        }
    }

    @Test
    void everyVersionOfListOffsets() throws Exception {
        produceTo(0, plain("a", "b"), 13);
        for (int version = 1; version <= 11; version++) {
            assertThat(offset(-1, version).offset()).as("v%d", version).isEqualTo(2);
            assertThat(offset(-2, version).offset()).isZero();
            assertThat(offset(0, version).offset()).isZero();
            assertThat(offset(Long.MAX_VALUE, version).offset()).isEqualTo(-1);
            assertThat(offset(-3, version).errorCode())
                    .isEqualTo(version >= 7 ? Errors.NONE.code() : Errors.UNSUPPORTED_VERSION.code());
            assertThat(offset(-6, version).errorCode())
                    .isEqualTo(version >= 11 ? Errors.NONE.code() : Errors.UNSUPPORTED_VERSION.code());
            assertThat(offset(-7, version).errorCode()).isEqualTo(Errors.UNSUPPORTED_VERSION.code());
        }
    }

    @Test
    void everyVersionOfDeleteRecordsAndOffsetForLeaderEpoch() throws Exception {
        produceTo(0, plain("a", "b", "c", "d", "e"), 13);
        for (int version = 0; version <= 2; version++) {
            assertThat(delete(version + 1, version)).isEqualTo(version + 1);
            assertThat(delete(6, version)).isEqualTo(-Errors.OFFSET_OUT_OF_RANGE.code());
        }
        assertThat(delete(-1, 2)).isEqualTo(5);
        PartitionData data = only(node0.send(fetch(TOPIC, id, 0, 2), 18, FetchResponseData.class));
        assertThat(data.errorCode()).isEqualTo(Errors.OFFSET_OUT_OF_RANGE.code());
        for (int version = 2; version <= 4; version++) {
            OffsetForLeaderEpochRequestData request = new OffsetForLeaderEpochRequestData();
            request.topics()
                    .add(new OffsetForLeaderTopic()
                            .setTopic(TOPIC)
                            .setPartitions(List.of(new OffsetForLeaderPartition()
                                    .setPartition(0)
                                    .setLeaderEpoch(0))));
            OffsetForLeaderEpochResponseData response =
                    node0.send(request, version, OffsetForLeaderEpochResponseData.class);
            assertThat(response.topics().find(TOPIC).partitions().get(0).endOffset())
                    .isEqualTo(5);
        }
    }

    @Test
    void aSessionTellsOnlyWhatIsNew() throws Exception {
        FetchRequestData full = fetch(TOPIC, id, 0, 0).setSessionEpoch(0);
        FetchResponseData opened = node0.send(full, 18, FetchResponseData.class);
        assertThat(opened.sessionId()).isNotZero();
        assertThat(only(opened).highWatermark()).isZero();

        FetchResponseData same = node0.send(next(opened, 1), 18, FetchResponseData.class);
        assertThat(same.sessionId()).isEqualTo(opened.sessionId());
        assertThat(same.responses()).isEmpty();

        produceTo(0, plain("a"), 13);
        assertThat(values(only(node0.send(next(opened, 2), 18, FetchResponseData.class))))
                .containsExactly("a");
        FetchRequestData further =
                next(opened, 3).setTopics(fetch(TOPIC, id, 0, 1).topics());
        assertThat(node0.send(further, 18, FetchResponseData.class).responses()).isEmpty();

        FetchRequestData repeated = next(opened, 3);
        assertThat(node0.send(repeated, 18, FetchResponseData.class).errorCode())
                .isEqualTo(Errors.INVALID_FETCH_SESSION_EPOCH.code());
        assertThat(node0.send(next(opened, 4).setSessionId(4711), 18, FetchResponseData.class)
                        .errorCode())
                .isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND.code());
        assertThat(node0.send(next(opened, 4), 12, FetchResponseData.class).errorCode())
                .isEqualTo(Errors.FETCH_SESSION_TOPIC_ID_ERROR.code());

        FetchRequestData forget = next(opened, 4)
                .setForgottenTopicsData(
                        List.of(new ForgottenTopic().setTopicId(id).setPartitions(List.of(0))));
        assertThat(node0.send(forget, 18, FetchResponseData.class).sessionId()).isZero();
        assertThat(node0.send(next(opened, 5), 18, FetchResponseData.class).errorCode())
                .isEqualTo(Errors.FETCH_SESSION_ID_NOT_FOUND.code());
    }

    @Test
    void aFetchWaitsForWhatComes() throws Exception {
        FetchRequestData waiting = fetch(TOPIC, id, 0, 0).setMaxWaitMs(60_000);
        node0.write(waiting, 18);
        try (RawClient other = new RawClient(cluster, 0)) {
            ProduceRequestData request = produce("", id, 0, plain("late"));
            other.send(request, 13, ProduceResponseData.class);
        }
        assertThat(values(only(node0.read(waiting, 18, FetchResponseData.class))))
                .containsExactly("late");
    }

    @Test
    void aFetchThatWaitsLearnsThatItsLeaderHasMoved() throws Exception {
        FetchRequestData waiting = fetch(TOPIC, id, 0, 0).setMaxWaitMs(60_000);
        CompletableFuture<FetchResponseData> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return node0.send(waiting, 18, FetchResponseData.class);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        cluster.moveLeader(new TopicPartition(TOPIC, 0), 1);
        FetchResponseData response = answer.get(10, TimeUnit.SECONDS);
        assertThat(only(response).errorCode()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER.code());
        assertThat(only(response).currentLeader().leaderId()).isEqualTo(1);
        assertThat(only(response).currentLeader().leaderEpoch()).isEqualTo(1);
        assertThat(response.nodeEndpoints().find(1).host()).isEqualTo("localhost");
    }

    @Test
    void theNewLeaderIsNamedWithItsEpoch() throws Exception {
        cluster.moveLeader(new TopicPartition(TOPIC, 0), 1);
        for (int version : new int[] {9, 10, 13}) {
            ProduceRequestData request = byId(produce(TOPIC, id, 0, plain("a")), version);
            ProduceResponseData response = node0.send(request, version, ProduceResponseData.class);
            PartitionProduceResponse part =
                    response.responses().iterator().next().partitionResponses().get(0);
            assertThat(part.errorCode()).isEqualTo(Errors.NOT_LEADER_OR_FOLLOWER.code());
            assertThat(part.currentLeader().leaderId()).isEqualTo(version >= 10 ? 1 : -1);
            assertThat(response.nodeEndpoints()).hasSize(version >= 10 ? 1 : 0);
        }
        FetchRequestData fenced = fetch(TOPIC, id, 0, 0);
        fenced.topics().get(0).partitions().get(0).setCurrentLeaderEpoch(0);
        FetchRequestData unknown = fetch(TOPIC, id, 0, 0);
        unknown.topics().get(0).partitions().get(0).setCurrentLeaderEpoch(2);
        try (RawClient node1 = new RawClient(cluster, 1)) {
            assertThat(only(node1.send(fenced, 18, FetchResponseData.class)).errorCode())
                    .isEqualTo(Errors.FENCED_LEADER_EPOCH.code());
            assertThat(only(node1.send(unknown, 18, FetchResponseData.class)).errorCode())
                    .isEqualTo(Errors.UNKNOWN_LEADER_EPOCH.code());
        }
    }

    @Test
    void topicsByIdThatAreGone() throws Exception {
        FetchRequestData full = fetch(TOPIC, id, 0, 0).setSessionEpoch(0);
        FetchResponseData opened = node0.send(full, 18, FetchResponseData.class);
        admin.deleteTopics(List.of(TOPIC)).all().get();
        assertThat(produceTo(0, plain("a"), 13).errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_ID.code());
        assertThat(only(node0.send(fetch(TOPIC, id, 0, 0), 18, FetchResponseData.class))
                        .errorCode())
                .isEqualTo(Errors.UNKNOWN_TOPIC_ID.code());
        assertThat(only(node0.send(next(opened, 1), 18, FetchResponseData.class))
                        .errorCode())
                .isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        Uuid again = create(TOPIC, Map.of());
        cluster.moveLeader(new TopicPartition(TOPIC, 0), 0);
        assertThat(again).isNotEqualTo(id);
        assertThat(only(node0.send(next(opened, 2), 18, FetchResponseData.class))
                        .errorCode())
                .isEqualTo(Errors.INCONSISTENT_TOPIC_ID.code());
    }

    @Test
    void withoutAcksAnErrorClosesTheConnection() throws Exception {
        ProduceRequestData good = produce("", id, 0, plain("a")).setAcks((short) 0);
        node0.write(good, 13);
        assertThat(offset(-1, 11).offset()).as("the connection goes on").isEqualTo(1);
        node0.write(produce("", id, 99, plain("a")).setAcks((short) 0), 13);
        assertThat(node0.isClosedByNode()).isTrue();
    }

    @Test
    void whatProduceRefuses() throws Exception {
        assertThat(produceTo(99, plain("a"), 12).errorCode()).isEqualTo(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        ProduceRequestData acks = produce("", id, 0, plain("a")).setAcks((short) 2);
        assertThat(only(node0.send(acks, 13, ProduceResponseData.class)).errorCode())
                .isEqualTo(Errors.INVALID_REQUIRED_ACKS.code());
        ProduceRequestData withoutId = produce("", id, 0, DataRequests.transactional(1, 0, 0));
        assertThat(only(node0.send(withoutId, 13, ProduceResponseData.class)).errorCode())
                .isEqualTo(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED.code());
        ProduceRequestData twoProducers =
                produce("", id, 0, DataRequests.transactional(1, 0, 0)).setTransactionalId("x");
        twoProducers
                .topicData()
                .iterator()
                .next()
                .setPartitionData(List.of(
                        new ProduceRequestData.PartitionProduceData()
                                .setIndex(0)
                                .setRecords(DataRequests.transactional(1, 0, 0)),
                        new ProduceRequestData.PartitionProduceData()
                                .setIndex(1)
                                .setRecords(DataRequests.transactional(2, 0, 0))));
        ProduceResponseData response = node0.send(twoProducers, 13, ProduceResponseData.class);
        assertThat(response.responses().iterator().next().partitionResponses())
                .hasSize(2)
                .allMatch(part -> part.errorCode() == Errors.INVALID_PRODUCER_ID_MAPPING.code());
        Uuid small = create("small", Map.of("max.message.bytes", "100"));
        ProduceRequestData large = produce("", small, 0, plain("x".repeat(200)));
        assertThat(only(node0.send(large, 13, ProduceResponseData.class)).errorCode())
                .isEqualTo(Errors.MESSAGE_TOO_LARGE.code());
    }

    private Uuid create(String topic, Map<String, String> configs) throws Exception {
        var created =
                admin.createTopics(List.of(new NewTopic(topic, Map.of(0, List.of(0), 1, List.of(0))).configs(configs)));
        return created.topicId(topic).get();
    }

    private PartitionProduceResponse produceTo(int partition, MemoryRecords records, int version) throws IOException {
        ProduceRequestData request = byId(produce(TOPIC, id, partition, records), version);
        return only(node0.send(request, version, ProduceResponseData.class));
    }

    /** Names are not sent from version 13 on, ids not before. */
    private static ProduceRequestData byId(ProduceRequestData request, int version) {
        request.topicData().forEach(topic -> {
            if (version < 13) {
                topic.setTopicId(Uuid.ZERO_UUID);
            } else {
                topic.setName("");
            }
        });
        return request;
    }

    private static FetchRequestData byId(FetchRequestData request, int version) {
        for (FetchTopic topic : request.topics()) {
            if (version < 13) {
                topic.setTopicId(Uuid.ZERO_UUID);
            } else {
                topic.setTopic("");
            }
        }
        return request;
    }

    private static FetchRequestData next(FetchResponseData opened, int epoch) {
        return new FetchRequestData()
                .setMinBytes(1)
                .setMaxBytes(DataRequests.MANY_BYTES)
                .setSessionId(opened.sessionId())
                .setSessionEpoch(epoch);
    }

    private ListOffsetsPartitionResponse offset(long timestamp, int version) throws IOException {
        ListOffsetsResponseData response =
                node0.send(listOffsets(TOPIC, 0, timestamp, 0), version, ListOffsetsResponseData.class);
        return response.topics().get(0).partitions().get(0);
    }

    /** The new beginning, or an error as a negative number. */
    private long delete(long offset, int version) throws IOException {
        DeleteRecordsRequestData request = new DeleteRecordsRequestData()
                .setTopics(List.of(new DeleteRecordsTopic()
                        .setName(TOPIC)
                        .setPartitions(List.of(new DeleteRecordsPartition()
                                .setPartitionIndex(0)
                                .setOffset(offset)))));
        var result = node0.send(request, version, DeleteRecordsResponseData.class)
                .topics()
                .find(TOPIC)
                .partitions()
                .find(0);
        return result.errorCode() == 0 ? result.lowWatermark() : -result.errorCode();
    }

    private static PartitionProduceResponse only(ProduceResponseData response) {
        return response.responses().iterator().next().partitionResponses().get(0);
    }

    private static PartitionData only(FetchResponseData response) {
        assertThat(response.errorCode()).isZero();
        return response.responses().get(0).partitions().get(0);
    }

    private static List<String> values(PartitionData data) {
        List<String> values = new ArrayList<>();
        ((MemoryRecords) data.records()).records().forEach(record -> {
            byte[] bytes = new byte[record.valueSize()];
            record.value().get(bytes);
            values.add(new String(bytes, StandardCharsets.UTF_8));
        });
        return values;
    }
}
