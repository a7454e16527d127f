package io.github.kafkatxn.cluster;

import io.github.kafkatxn.cluster.TransactionClient.Identity;
import io.github.kafkatxn.cluster.TransactionClient.MarkerFields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;

/** The requests of a transactional producer, and of who looks at what it has written. */
final class TransactionMessages {
    private TransactionMessages() {}

    static InitProducerIdRequestData init(String id, int timeoutMs, long expectedId, int expectedEpoch) {
        return new InitProducerIdRequestData()
                .setTransactionalId(id)
                .setTransactionTimeoutMs(timeoutMs)
                .setProducerId(expectedId)
                .setProducerEpoch((short) expectedEpoch);
    }

    static AddPartitionsToTxnRequestData add(
            String id, long producerId, short epoch, String topic, Integer... partitions) {
        AddPartitionsToTxnRequestData request = new AddPartitionsToTxnRequestData()
                .setV3AndBelowTransactionalId(id)
                .setV3AndBelowProducerId(producerId)
                .setV3AndBelowProducerEpoch(epoch);
        request.v3AndBelowTopics()
                .add(new AddPartitionsToTxnTopic().setName(topic).setPartitions(List.of(partitions)));
        return request;
    }

    static EndTxnRequestData end(String id, long producerId, short epoch, boolean commit) {
        return new EndTxnRequestData()
                .setTransactionalId(id)
                .setProducerId(producerId)
                .setProducerEpoch(epoch)
                .setCommitted(commit);
    }

    /** One transactional record, for a topic that is not named yet. */
    static TopicProduceData data(Identity producer, int partition, int sequence, String value) {
        MemoryRecords records = MemoryRecords.withTransactionalRecords(
                Compression.NONE,
                producer.producerId(),
                producer.epoch(),
                sequence,
                new SimpleRecord(value.getBytes(StandardCharsets.UTF_8)));
        return new TopicProduceData()
                .setPartitionData(
                        List.of(new PartitionProduceData().setIndex(partition).setRecords(records)));
    }

    static ProduceRequestData produce(String id, TopicProduceData data, int timeoutMs) {
        ProduceRequestData request = new ProduceRequestData()
                .setTransactionalId(id)
                .setAcks((short) -1)
                .setTimeoutMs(timeoutMs);
        request.topicData().add(data);
        return request;
    }

    static AddOffsetsToTxnRequestData addOffsets(String id, Identity producer, String group) {
        return new AddOffsetsToTxnRequestData()
                .setTransactionalId(id)
                .setProducerId(producer.producerId())
                .setProducerEpoch(producer.epoch())
                .setGroupId(group);
    }

    /** One offset, by name, of somebody who is no member of the group. */
    static TxnOffsetCommitRequestData commitOffset(
            String id, Identity producer, String group, TopicPartition partition, long offset) {
        return new TxnOffsetCommitRequestData()
                .setTransactionalId(id)
                .setProducerId(producer.producerId())
                .setProducerEpoch(producer.epoch())
                .setGroupId(group)
                .setTopics(List.of(new TxnOffsetCommitRequestTopic()
                        .setName(partition.topic())
                        .setPartitions(List.of(new TxnOffsetCommitRequestPartition()
                                .setPartitionIndex(partition.partition())
                                .setCommittedOffset(offset)))));
    }

    static WriteTxnMarkersRequestData mark(Identity producer, MarkerFields fields, String topic, int partition) {
        return new WriteTxnMarkersRequestData()
                .setMarkers(List.of(new WritableTxnMarker()
                        .setProducerId(producer.producerId())
                        .setProducerEpoch(producer.epoch())
                        .setTransactionResult(fields.commit())
                        .setCoordinatorEpoch(fields.coordinatorEpoch())
                        .setTransactionVersion((byte) fields.transactionVersion())
                        .setTopics(List.of(
                                new WritableTxnMarkerTopic().setName(topic).setPartitionIndexes(List.of(partition))))));
    }

    /** What a read_committed consumer asks for. */
    static FetchRequestData fetch(Uuid topicId, int partition, long from) {
        return new FetchRequestData()
                .setMaxWaitMs(0)
                .setMinBytes(0)
                .setMaxBytes(1 << 20)
                .setIsolationLevel((byte) 1)
                .setSessionEpoch(-1)
                .setTopics(List.of(new FetchTopic()
                        .setTopicId(topicId)
                        .setPartitions(List.of(new FetchPartition()
                                .setPartition(partition)
                                .setCurrentLeaderEpoch(-1)
                                .setFetchOffset(from)
                                .setPartitionMaxBytes(1 << 20)))));
    }
}
