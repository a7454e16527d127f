package io.github.kafkatxn.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** Requests of the data path, as tests send them by hand. */
final class DataRequests {
    static final int MANY_BYTES = 1_000_000;

    private DataRequests() {}

    static MemoryRecords plain(String... values) {
        SimpleRecord[] records = new SimpleRecord[values.length];
        for (int i = 0; i < values.length; i++) {
            records[i] = new SimpleRecord(System.currentTimeMillis(), values[i].getBytes(StandardCharsets.UTF_8));
        }
        return MemoryRecords.withRecords(Compression.NONE, records);
    }

    static MemoryRecords idempotent(long pid, int sequence) {
        return MemoryRecords.withIdempotentRecords(
                Compression.NONE,
                pid,
                (short) 0,
                sequence,
                new SimpleRecord(System.currentTimeMillis(), ("v" + sequence).getBytes(StandardCharsets.UTF_8)));
    }

    static MemoryRecords transactional(long pid, int epoch, int sequence) {
        return MemoryRecords.withTransactionalRecords(
                Compression.NONE,
                pid,
                (short) epoch,
                sequence,
                new SimpleRecord(System.currentTimeMillis(), ("v" + sequence).getBytes(StandardCharsets.UTF_8)));
    }

    static ProduceRequestData produce(String topic, Uuid id, int partition, MemoryRecords records) {
        ProduceRequestData request =
                new ProduceRequestData().setAcks((short) -1).setTimeoutMs(1_000);
        request.topicData()
                .add(new TopicProduceData()
                        .setName(topic)
                        .setTopicId(id)
                        .setPartitionData(List.of(
                                new PartitionProduceData().setIndex(partition).setRecords(records))));
        return request;
    }

    static FetchRequestData fetch(String topic, Uuid id, int partition, long offset) {
        return new FetchRequestData()
                .setMinBytes(1)
                .setMaxBytes(MANY_BYTES)
                .setTopics(List.of(new FetchTopic()
                        .setTopic(topic)
                        .setTopicId(id)
                        .setPartitions(List.of(partition(partition, offset)))));
    }

    static FetchPartition partition(int partition, long offset) {
        return new FetchPartition()
                .setPartition(partition)
                .setFetchOffset(offset)
                .setPartitionMaxBytes(MANY_BYTES);
    }

    static ListOffsetsRequestData listOffsets(String topic, int partition, long timestamp, int isolation) {
        return new ListOffsetsRequestData()
                .setReplicaId(-1)
                .setIsolationLevel((byte) isolation)
                .setTopics(List.of(new ListOffsetsTopic()
                        .setName(topic)
                        .setPartitions(List.of(new ListOffsetsPartition()
                                .setPartitionIndex(partition)
                                .setTimestamp(timestamp)))));
    }

    /** Names are not sent from version 13 on, ids not before. */
    static ProduceRequestData byId(ProduceRequestData request, int version) {
        request.topicData().forEach(topic -> {
            if (version < 13) {
                topic.setTopicId(Uuid.ZERO_UUID);
            } else {
                topic.setName("");
            }
        });
        return request;
    }

    static FetchRequestData byId(FetchRequestData request, int version) {
        for (FetchTopic topic : request.topics()) {
            if (version < 13) {
                topic.setTopicId(Uuid.ZERO_UUID);
            } else {
                topic.setTopic("");
            }
        }
        return request;
    }

    static PartitionProduceResponse only(ProduceResponseData response) {
        return response.responses().iterator().next().partitionResponses().get(0);
    }

    static PartitionData only(FetchResponseData response) {
        assertThat(response.errorCode()).isZero();
        return response.responses().get(0).partitions().get(0);
    }

    static List<String> values(PartitionData data) {
        List<String> values = new ArrayList<>();
        ((MemoryRecords) data.records()).records().forEach(record -> {
            byte[] bytes = new byte[record.valueSize()];
            record.value().get(bytes);
            values.add(new String(bytes, StandardCharsets.UTF_8));
        });
        return values;
    }
}
