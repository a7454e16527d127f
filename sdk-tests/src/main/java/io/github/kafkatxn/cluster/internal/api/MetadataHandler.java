package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.NodeInfo;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * Metadata (key 3).
 *
 * <p><b>Versions</b>: 0-13.
 *
 * <p><b>Behaviour</b>: what this node knows of the cluster, which may be less than others know already. A topic that is
 * asked for by name and missing is created where the request and {@code auto.create.topics.enable} allow it, and
 * answered as unknown until it is there. Topics nobody may see are left out of the list of all topics, and refused by
 * name.
 *
 * <p><b>Left out</b>: listeners other than the one there is; racks.
 */
final class MetadataHandler implements ApiHandler<MetadataRequestData> {
    private static final short BY_ID = 12;

    private final NodeContext node;
    private final TopicCreation creation;
    private final Rights rights;

    MetadataHandler(NodeContext node, TopicCreation creation, Rights rights) {
        this.node = node;
        this.creation = creation;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.METADATA.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.METADATA);
    }

    @Override
    public void handle(Call<MetadataRequestData> call) {
        ClusterImage image = node.image().get();
        MetadataRequestData request = call.request();
        MetadataResponseData response = cluster(image);
        List<MetadataRequestTopic> asked = request.topics();
        if (asked == null || (call.version() == 0 && asked.isEmpty())) {
            image.topics().stream()
                    .filter(topic -> rights.allows(call, AclOperation.DESCRIBE, ResourceType.TOPIC, topic.name()))
                    .forEach(topic -> response.topics().add(describe(call, image, topic)));
        } else {
            asked.stream().distinct().forEach(topic -> response.topics().mustAdd(answer(call, image, topic)));
        }
        if (call.version() >= 8 && call.version() <= 10 && request.includeClusterAuthorizedOperations()) {
            response.setClusterAuthorizedOperations(rights.clusterOperations(call));
        }
        call.answer(response);
    }

    private static MetadataResponseData cluster(ClusterImage image) {
        MetadataResponseData response = new MetadataResponseData().setClusterId(image.clusterId());
        for (NodeInfo info : image.nodes()) {
            if (info.alive()) {
                response.brokers()
                        .add(new MetadataResponseBroker()
                                .setNodeId(info.id())
                                .setHost(info.host())
                                .setPort(info.port()));
                response.setControllerId(response.controllerId() < 0 ? info.id() : response.controllerId());
            }
        }
        return response;
    }

    private MetadataResponseTopic answer(
            Call<MetadataRequestData> call, ClusterImage image, MetadataRequestTopic asked) {
        String name = asked.name();
        if (name == null || !asked.topicId().equals(Uuid.ZERO_UUID)) {
            return byId(call, image, asked);
        }
        if (!rights.allows(call, AclOperation.DESCRIBE, ResourceType.TOPIC, name)) {
            return error(name, Errors.TOPIC_AUTHORIZATION_FAILED);
        }
        return image.topic(name)
                .map(topic -> describe(call, image, topic))
                .orElseGet(() -> error(name, missing(call, name)));
    }

    private MetadataResponseTopic byId(Call<MetadataRequestData> call, ClusterImage image, MetadataRequestTopic asked) {
        Uuid id = asked.topicId();
        if (call.version() < BY_ID || asked.name() != null) {
            return error(id, asked.name(), Errors.INVALID_REQUEST);
        }
        Optional<TopicInfo> topic = image.topic(id);
        if (topic.isEmpty()) {
            return error(id, null, Errors.UNKNOWN_TOPIC_ID);
        }
        // Whoever may not see it does not learn its name.
        return rights.allows(
                        call,
                        AclOperation.DESCRIBE,
                        ResourceType.TOPIC,
                        topic.get().name())
                ? describe(call, image, topic.get())
                : error(id, null, Errors.TOPIC_AUTHORIZATION_FAILED);
    }

    private Errors missing(Call<MetadataRequestData> call, String name) {
        try {
            Topic.validate(name);
        } catch (InvalidTopicException e) {
            return Errors.INVALID_TOPIC_EXCEPTION;
        }
        boolean create = node.settings().flag("auto.create.topics.enable")
                && (call.version() < 4 || call.request().allowAutoTopicCreation());
        if (!create) {
            return Errors.UNKNOWN_TOPIC_OR_PARTITION;
        }
        if (!rights.allows(call, AclOperation.CREATE, ResourceType.CLUSTER, Rights.CLUSTER_NAME)
                && !rights.allows(call, AclOperation.CREATE, ResourceType.TOPIC, name)) {
            return Errors.TOPIC_AUTHORIZATION_FAILED;
        }
        creation.ensure(name);
        return Errors.UNKNOWN_TOPIC_OR_PARTITION;
    }

    private MetadataResponseTopic describe(Call<MetadataRequestData> call, ClusterImage image, TopicInfo topic) {
        MetadataResponseTopic described = new MetadataResponseTopic()
                .setName(topic.name())
                .setTopicId(topic.id())
                .setIsInternal(InternalTopics.contains(topic.name()))
                .setPartitions(topic.partitions().stream()
                        .map(partition -> describe(image, partition))
                        .toList());
        if (call.version() >= 8 && call.request().includeTopicAuthorizedOperations()) {
            described.setTopicAuthorizedOperations(rights.operations(call, ResourceType.TOPIC, topic.name()));
        }
        return described;
    }

    private static MetadataResponsePartition describe(ClusterImage image, PartitionInfo partition) {
        boolean led = image.isAlive(partition.leader());
        return new MetadataResponsePartition()
                .setPartitionIndex(partition.index())
                .setErrorCode((led ? Errors.NONE : Errors.LEADER_NOT_AVAILABLE).code())
                .setLeaderId(led ? partition.leader() : PartitionInfo.NO_LEADER)
                .setLeaderEpoch(partition.leaderEpoch())
                .setReplicaNodes(partition.replicas())
                .setIsrNodes(
                        partition.replicas().stream().filter(image::isAlive).toList())
                .setOfflineReplicas(partition.replicas().stream()
                        .filter(replica -> !image.isAlive(replica))
                        .toList());
    }

    private static MetadataResponseTopic error(String name, Errors error) {
        return error(Uuid.ZERO_UUID, name, error).setIsInternal(InternalTopics.contains(name));
    }

    private static MetadataResponseTopic error(Uuid id, @Nullable String name, Errors error) {
        return new MetadataResponseTopic().setTopicId(id).setName(name).setErrorCode(error.code());
    }
}
