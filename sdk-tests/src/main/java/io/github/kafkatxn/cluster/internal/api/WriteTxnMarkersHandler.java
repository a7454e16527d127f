package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.log.TransactionMarker;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarker;
import org.apache.kafka.common.message.WriteTxnMarkersRequestData.WritableTxnMarkerTopic;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerPartitionResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerResult;
import org.apache.kafka.common.message.WriteTxnMarkersResponseData.WritableTxnMarkerTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;

/**
 * WriteTxnMarkers (key 27).
 *
 * <p><b>Versions</b>: 1-2. 2 has the transaction version, by which the marker's epoch is checked (KIP-1228).
 *
 * <p><b>Behaviour</b>: a control batch in each partition; in {@code __consumer_offsets} the pending offsets of the
 * producer are decided too. Needs CLUSTER_ACTION or ALTER on the cluster.
 *
 * <p><b>Left out</b>: nothing.
 */
final class WriteTxnMarkersHandler implements ApiHandler<WriteTxnMarkersRequestData> {
    private final NodeContext node;
    private final Rights rights;

    WriteTxnMarkersHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.WRITE_TXN_MARKERS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.WRITE_TXN_MARKERS);
    }

    @Override
    public void handle(Call<WriteTxnMarkersRequestData> call) {
        boolean allowed = rights.allows(call, AclOperation.ALTER, ResourceType.CLUSTER, Rights.CLUSTER_NAME)
                || rights.allows(call, AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, Rights.CLUSTER_NAME);
        WriteTxnMarkersResponseData response = new WriteTxnMarkersResponseData();
        for (WritableTxnMarker marker : call.request().markers()) {
            List<WritableTxnMarkerTopicResult> topics = new ArrayList<>();
            marker.topics().forEach(topic -> topics.add(write(marker, topic, allowed)));
            response.markers()
                    .add(new WritableTxnMarkerResult()
                            .setProducerId(marker.producerId())
                            .setTopics(topics));
        }
        call.answer(response);
    }

    private WritableTxnMarkerTopicResult write(
            WritableTxnMarker marker, WritableTxnMarkerTopic topic, boolean allowed) {
        List<WritableTxnMarkerPartitionResult> partitions = new ArrayList<>();
        for (int index : topic.partitionIndexes()) {
            Errors error = allowed
                    ? write(marker, new TopicPartition(topic.name(), index))
                    : Errors.CLUSTER_AUTHORIZATION_FAILED;
            partitions.add(new WritableTxnMarkerPartitionResult()
                    .setPartitionIndex(index)
                    .setErrorCode(error.code()));
        }
        return new WritableTxnMarkerTopicResult().setName(topic.name()).setPartitions(partitions);
    }

    private Errors write(WritableTxnMarker marker, TopicPartition partition) {
        Optional<LedPartition> led = node.partitions().find(partition);
        if (led.isEmpty()) {
            boolean replica = node.image()
                    .get()
                    .partition(partition)
                    .filter(info -> info.replicas().contains(node.nodeId()))
                    .isPresent();
            return replica ? Errors.NOT_LEADER_OR_FOLLOWER : Errors.UNKNOWN_TOPIC_OR_PARTITION;
        }
        Errors error = led.get()
                .appendMarker(new TransactionMarker(
                        marker.producerId(),
                        marker.producerEpoch(),
                        marker.transactionResult(),
                        marker.coordinatorEpoch(),
                        marker.transactionVersion()))
                .error();
        if (error == Errors.NONE && partition.topic().equals(InternalTopics.OFFSETS)) {
            node.groups().onMarker(partition.partition(), marker.producerId(), marker.transactionResult());
        }
        return error;
    }
}
