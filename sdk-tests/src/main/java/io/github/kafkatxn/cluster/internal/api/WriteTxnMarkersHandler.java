package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.log.TransactionMarker;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.share.Extensions;
import io.github.kafkatxn.cluster.internal.share.Marker;
import io.github.kafkatxn.cluster.internal.share.SharePartitionKey;
import io.github.kafkatxn.cluster.internal.share.ShareStateShard;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
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
 * producer are decided too. In {@code __share_group_state} what is staged there is decided, and the leaders of the
 * share partitions are told before the answer (KIP-1289). Needs CLUSTER_ACTION or ALTER on the cluster.
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
        Gathering gathering = new Gathering(() -> call.answer(response));
        for (WritableTxnMarker marker : call.request().markers()) {
            List<WritableTxnMarkerTopicResult> topics = new ArrayList<>();
            marker.topics().forEach(topic -> topics.add(write(marker, topic, allowed, gathering)));
            response.markers()
                    .add(new WritableTxnMarkerResult()
                            .setProducerId(marker.producerId())
                            .setTopics(topics));
        }
        gathering.arrived();
    }

    private WritableTxnMarkerTopicResult write(
            WritableTxnMarker marker, WritableTxnMarkerTopic topic, boolean allowed, Gathering gathering) {
        List<WritableTxnMarkerPartitionResult> partitions = new ArrayList<>();
        for (int index : topic.partitionIndexes()) {
            WritableTxnMarkerPartitionResult result = new WritableTxnMarkerPartitionResult().setPartitionIndex(index);
            partitions.add(result);
            gathering.expect();
            Consumer<Errors> done = error -> {
                result.setErrorCode(error.code());
                gathering.arrived();
            };
            if (allowed) {
                write(marker, new TopicPartition(topic.name(), index), done);
            } else {
                done.accept(Errors.CLUSTER_AUTHORIZATION_FAILED);
            }
        }
        return new WritableTxnMarkerTopicResult().setName(topic.name()).setPartitions(partitions);
    }

    private void write(WritableTxnMarker marker, TopicPartition partition, Consumer<Errors> done) {
        Optional<LedPartition> led = node.partitions().find(partition);
        OptionalInt handedOnBy = Extensions.statePartition(marker);
        if (led.isEmpty()) {
            boolean replica = node.image()
                    .get()
                    .partition(partition)
                    .filter(info -> info.replicas().contains(node.nodeId()))
                    .isPresent();
            done.accept(replica ? Errors.NOT_LEADER_OR_FOLLOWER : Errors.UNKNOWN_TOPIC_OR_PARTITION);
        } else if (handedOnBy.isPresent()) {
            end(led.get(), marker(marker, handedOnBy.getAsInt()));
            done.accept(Errors.NONE);
        } else {
            append(marker, led.get(), done);
        }
    }

    private void append(WritableTxnMarker marker, LedPartition led, Consumer<Errors> done) {
        TopicPartition partition = led.id().topicPartition();
        Errors error = led.appendMarker(new TransactionMarker(
                        marker.producerId(),
                        marker.producerEpoch(),
                        marker.transactionResult(),
                        marker.coordinatorEpoch(),
                        marker.transactionVersion()))
                .error();
        if (error == Errors.NONE && partition.topic().equals(InternalTopics.OFFSETS)) {
            node.groups().onMarker(partition.partition(), marker.producerId(), marker.transactionResult());
        }
        Optional<ShareStateShard> states =
                error == Errors.NONE && partition.topic().equals(InternalTopics.SHARE_STATE)
                        ? node.share().coordinator().shard(partition.partition())
                        : Optional.empty();
        if (states.isEmpty()) {
            done.accept(error);
            return;
        }
        Map<SharePartitionKey, Integer> leaders = states.get().onMarker(marker(marker, partition.partition()));
        node.share().relay().hand(marker, partition.partition(), leaders, done);
    }

    /** The share partitions of a partition that this node leads, as far as that state partition keeps them. */
    private void end(LedPartition led, Marker marker) {
        node.share()
                .partitions()
                .end(
                        led.id(),
                        marker,
                        key -> node.share()
                                .coordinator()
                                .partitionOf(key)
                                .filter(info -> info.index() == marker.statePartition())
                                .isPresent());
    }

    private static Marker marker(WritableTxnMarker marker, int statePartition) {
        return new Marker(
                statePartition,
                marker.producerId(),
                marker.producerEpoch(),
                marker.transactionResult(),
                marker.transactionVersion() >= 2);
    }
}
