package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponsePartition;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;

/**
 * DescribeTopicPartitions (key 75).
 *
 * <p><b>Versions</b>: 0.
 *
 * <p><b>Behaviour</b>: topics by their names, from a cursor on, as many partitions as asked for and 2000 at most; the
 * answer's cursor says where to go on. Topics nobody may see are refused by name, and left out of all topics.
 *
 * <p><b>Left out</b>: replicas that may lead although they are not in sync, of which there are none.
 */
final class DescribeTopicPartitionsHandler implements ApiHandler<DescribeTopicPartitionsRequestData> {
    private static final int LIMIT = 2_000;

    private final NodeContext node;
    private final Rights rights;

    DescribeTopicPartitionsHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.DESCRIBE_TOPIC_PARTITIONS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.DESCRIBE_TOPIC_PARTITIONS);
    }

    @Override
    public void handle(Call<DescribeTopicPartitionsRequestData> call) {
        DescribeTopicPartitionsRequestData request = call.request();
        ClusterImage image = node.image().get();
        String from = request.cursor() == null ? "" : request.cursor().topicName();
        int firstPartition = request.cursor() == null ? 0 : request.cursor().partitionIndex();
        boolean all = request.topics().isEmpty();
        TreeSet<String> names = new TreeSet<>();
        request.topics().stream().map(TopicRequest::name).forEach(names::add);
        if (all) {
            image.topics().stream().map(TopicInfo::name).forEach(names::add);
        }
        DescribeTopicPartitionsResponseData response = new DescribeTopicPartitionsResponseData();
        if (firstPartition < 0 || (request.cursor() != null && !all && !names.contains(from))) {
            names.forEach(name -> response.topics().add(error(name, Errors.INVALID_REQUEST)));
            call.answer(response);
            return;
        }
        int left = Math.max(1, Math.min(LIMIT, request.responsePartitionLimit()));
        for (String name : names.tailSet(from)) {
            if (!rights.allows(call, AclOperation.DESCRIBE, ResourceType.TOPIC, name)) {
                if (!all) {
                    response.topics().add(error(name, Errors.TOPIC_AUTHORIZATION_FAILED));
                }
                continue;
            }
            int first = name.equals(from) ? firstPartition : 0;
            if (left == 0) {
                response.setNextCursor(new Cursor().setTopicName(name).setPartitionIndex(first));
                break;
            }
            left = add(call, response, image, name, first, left);
            if (response.nextCursor() != null) {
                break;
            }
        }
        call.answer(response);
    }

    private int add(
            Call<?> call,
            DescribeTopicPartitionsResponseData response,
            ClusterImage image,
            String name,
            int first,
            int limit) {
        Optional<TopicInfo> topic = image.topic(name);
        if (topic.isEmpty()) {
            response.topics().add(error(name, TopicNames.missing(name)));
            return limit;
        }
        List<PartitionInfo> partitions = topic.get().partitions();
        int end = Math.min(partitions.size(), first + limit);
        response.topics()
                .add(new DescribeTopicPartitionsResponseTopic()
                        .setName(name)
                        .setTopicId(topic.get().id())
                        .setIsInternal(InternalTopics.contains(name))
                        .setTopicAuthorizedOperations(rights.operations(call, ResourceType.TOPIC, name))
                        .setPartitions(partitions.subList(Math.min(first, end), end).stream()
                                .map(partition -> describe(image, partition))
                                .toList()));
        if (end < partitions.size()) {
            response.setNextCursor(new Cursor().setTopicName(name).setPartitionIndex(end));
        }
        return limit - Math.max(0, end - first);
    }

    private static DescribeTopicPartitionsResponsePartition describe(ClusterImage image, PartitionInfo partition) {
        boolean led = image.isAlive(partition.leader());
        return new DescribeTopicPartitionsResponsePartition()
                .setPartitionIndex(partition.index())
                .setErrorCode((led ? Errors.NONE : Errors.LEADER_NOT_AVAILABLE).code())
                .setLeaderId(led ? partition.leader() : PartitionInfo.NO_LEADER)
                .setLeaderEpoch(partition.leaderEpoch())
                .setReplicaNodes(partition.replicas())
                .setIsrNodes(
                        partition.replicas().stream().filter(image::isAlive).toList())
                .setEligibleLeaderReplicas(List.of())
                .setLastKnownElr(List.of())
                .setOfflineReplicas(partition.replicas().stream()
                        .filter(replica -> !image.isAlive(replica))
                        .toList());
    }

    private static DescribeTopicPartitionsResponseTopic error(String name, Errors error) {
        return new DescribeTopicPartitionsResponseTopic()
                .setName(name)
                .setErrorCode(error.code())
                .setIsInternal(InternalTopics.contains(name));
    }
}
