package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.node.Peers;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.ListOffsetsRequest;

/** The ends of partitions that other nodes may lead. */
final class LatestOffsets {
    static final long UNKNOWN = -1;

    private final NodeContext node;

    LatestOffsets(NodeContext node) {
        this.node = node;
    }

    /** Tells the end of a partition, {@link #UNKNOWN} if its leader cannot be asked. */
    void of(TopicPartition partition, LongConsumer done) {
        Optional<Integer> leader = node.image().get().partition(partition).map(PartitionInfo::leader);
        if (leader.isEmpty()) {
            done.accept(UNKNOWN);
            return;
        }
        ListOffsetsRequestData request = new ListOffsetsRequestData()
                .setReplicaId(ListOffsetsRequest.CONSUMER_REPLICA_ID)
                .setTopics(List.of(new ListOffsetsTopic()
                        .setName(partition.topic())
                        .setPartitions(List.of(new ListOffsetsPartition()
                                .setPartitionIndex(partition.partition())
                                .setTimestamp(ListOffsetsRequest.LATEST_TIMESTAMP)))));
        VersionRange versions = VersionRange.allOf(ApiMessageType.LIST_OFFSETS);
        node.peers().send(leader.get(), request, versions, new Peers.Reply() {
            @Override
            public void answered(short version, ApiMessage response) {
                ListOffsetsPartitionResponse answer = ((ListOffsetsResponseData) response)
                        .topics()
                        .get(0)
                        .partitions()
                        .get(0);
                done.accept(answer.errorCode() == 0 ? answer.offset() : UNKNOWN);
            }

            @Override
            public void failed(Peers.Failure failure) {
                done.accept(UNKNOWN);
            }
        });
    }
}
