package io.github.kafkatxn.cluster;

import static io.github.kafkatxn.cluster.DataRequests.byId;
import static io.github.kafkatxn.cluster.DataRequests.fetch;
import static io.github.kafkatxn.cluster.DataRequests.idempotent;
import static io.github.kafkatxn.cluster.DataRequests.listOffsets;
import static io.github.kafkatxn.cluster.DataRequests.only;
import static io.github.kafkatxn.cluster.DataRequests.plain;
import static io.github.kafkatxn.cluster.DataRequests.produce;
import static io.github.kafkatxn.cluster.DataRequests.values;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
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
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Produce, Fetch and what belongs to them in every version, on the wire; what Produce refuses. */
@Timeout(30)
class DataRequestsTest extends DataRequestsSetup {

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

    /** The first time over has to leave the bytes of the request as they came. */
    @ParameterizedTest
    @EnumSource(names = {"CREATE_TIME", "LOG_APPEND_TIME"})
    void aBatchThatIsHandledTwiceIsThereOnce(TimestampType timestamps) throws Exception {
        Uuid topic = create("twice", Map.of("message.timestamp.type", timestamps.name));
        ProduceRequestData first = produce("", topic, 0, idempotent(7, 0));
        assertThat(only(node0.send(first, 13, ProduceResponseData.class)).baseOffset())
                .isZero();
        cluster.faults().on(ApiKeys.PRODUCE).handleTwice();

        ProduceRequestData twice = produce("", topic, 0, idempotent(7, 1));
        PartitionProduceResponse answer = only(node0.send(twice, 13, ProduceResponseData.class));

        assertThat(Errors.forCode(answer.errorCode())).isEqualTo(Errors.NONE);
        assertThat(answer.baseOffset()).isEqualTo(1);
        FetchResponseData fetched = node0.send(fetch("", topic, 0, 0), 18, FetchResponseData.class);
        assertThat(values(only(fetched))).containsExactly("v0", "v1");
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
}
