package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.group.AssignedPartition;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.share.SharePartitionKey;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestGroup;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponseGroup;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponsePartition;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponseTopic;
import org.apache.kafka.common.protocol.Errors;

/**
 * DescribeShareGroupOffsets (key 90).
 *
 * <p><b>Versions</b>: 0-1. Version 1 tells the lag.
 *
 * <p><b>Behaviour</b>: DESCRIBE on the group and the topics. Where each partition begins that the group has ever had,
 * -1 if nothing was acknowledged yet, or if there is no such group or topic; the lag is what comes behind it and is not
 * done with.
 *
 * <p><b>Left out</b>: nothing.
 */
final class DescribeShareGroupOffsetsHandler implements ApiHandler<DescribeShareGroupOffsetsRequestData> {
    private static final long UNKNOWN = -1;

    private final NodeContext node;
    private final LatestOffsets latest;

    DescribeShareGroupOffsetsHandler(NodeContext node) {
        this.node = node;
        this.latest = new LatestOffsets(node);
    }

    @Override
    public short key() {
        return ApiMessageType.DESCRIBE_SHARE_GROUP_OFFSETS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.DESCRIBE_SHARE_GROUP_OFFSETS);
    }

    @Override
    public void handle(Call<DescribeShareGroupOffsetsRequestData> call) {
        DescribeShareGroupOffsetsResponseData response = new DescribeShareGroupOffsetsResponseData();
        Gathering gathering = new Gathering(() -> call.answer(response));
        call.request().groups().forEach(group -> response.groups().add(describe(call, group, gathering)));
        gathering.arrived();
    }

    private DescribeShareGroupOffsetsResponseGroup describe(
            Call<?> call, DescribeShareGroupOffsetsRequestGroup asked, Gathering gathering) {
        DescribeShareGroupOffsetsResponseGroup group =
                new DescribeShareGroupOffsetsResponseGroup().setGroupId(asked.groupId());
        Errors error = ShareRequests.checkGroup(node, call, AclOperation.DESCRIBE, asked.groupId());
        if (error != Errors.NONE) {
            return group.setErrorCode(error.code()).setErrorMessage(error.message());
        }
        Map<String, List<Integer>> topics = new TreeMap<>();
        try {
            topics.putAll(topics(asked));
        } catch (ApiException e) {
            return group.setErrorCode(Errors.forException(e).code()).setErrorMessage(e.getMessage());
        }
        topics.forEach((name, partitions) -> {
            DescribeShareGroupOffsetsResponseTopic topic =
                    new DescribeShareGroupOffsetsResponseTopic().setTopicName(name);
            group.topics().add(topic);
            boolean allowed = GroupRequests.mayTopic(node, call, AclOperation.DESCRIBE, name);
            for (int index : partitions) {
                DescribeShareGroupOffsetsResponsePartition partition =
                        new DescribeShareGroupOffsetsResponsePartition().setPartitionIndex(index);
                topic.partitions().add(partition);
                if (allowed) {
                    describe(asked.groupId(), topic, partition, gathering);
                } else {
                    partition
                            .setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code())
                            .setStartOffset(UNKNOWN);
                }
            }
        });
        return group;
    }

    private Map<String, List<Integer>> topics(DescribeShareGroupOffsetsRequestGroup asked) {
        Map<String, List<Integer>> topics = new TreeMap<>();
        if (asked.topics() != null) {
            asked.topics().forEach(topic -> topics.put(topic.topicName(), topic.partitions()));
            return topics;
        }
        ClusterImage image = node.image().get();
        for (AssignedPartition partition :
                node.groups().shardOf(asked.groupId()).share().partitions(asked.groupId())) {
            image.topic(partition.topicId())
                    .ifPresent(topic -> topics.computeIfAbsent(topic.name(), name -> new ArrayList<>())
                            .add(partition.partition()));
        }
        return topics;
    }

    private void describe(
            String group,
            DescribeShareGroupOffsetsResponseTopic topic,
            DescribeShareGroupOffsetsResponsePartition partition,
            Gathering gathering) {
        partition.setLag(UNKNOWN).setStartOffset(UNKNOWN);
        Optional<TopicInfo> info = node.image().get().topic(topic.topicName());
        if (info.isEmpty()) {
            return;
        }
        if (info.get().partition(partition.partitionIndex()).isEmpty()) {
            partition
                    .setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code())
                    .setErrorMessage(Errors.UNKNOWN_TOPIC_OR_PARTITION.message());
            return;
        }
        topic.setTopicId(info.get().id());
        gathering.expect();
        SharePartitionKey key = new SharePartitionKey(group, info.get().id(), partition.partitionIndex());
        TopicPartition of = new TopicPartition(topic.topicName(), partition.partitionIndex());
        node.share().states().summarise(key, 0, (error, summary) -> {
            partition.setErrorCode(error.code());
            if (summary == null || summary.startOffset() == UNKNOWN) {
                gathering.arrived();
                return;
            }
            partition.setStartOffset(summary.startOffset()).setLeaderEpoch(summary.leaderEpoch());
            latest.of(of, end -> {
                boolean known = end != LatestOffsets.UNKNOWN && summary.deliveryCompleteCount() >= 0;
                partition.setLag(known ? end - summary.startOffset() - summary.deliveryCompleteCount() : UNKNOWN);
                gathering.arrived();
            });
        });
    }
}
