package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ConfigTable;
import io.github.kafkatxn.cluster.internal.metadata.Controller;
import io.github.kafkatxn.cluster.internal.metadata.NodeInfo;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableReplicaAssignment;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicConfigs;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;

/**
 * CreateTopics (key 19).
 *
 * <p><b>Versions</b>: 2-7.
 *
 * <p><b>Behaviour</b>: one result per topic. Partitions and replication factor -1 stand for the defaults of the nodes;
 * replicas may be assigned by hand. Needs CREATE on the cluster or the topic.
 *
 * <p><b>Left out</b>: configurations of tiered storage and of throttled replicas (INVALID_CONFIG).
 */
final class CreateTopicsHandler implements ApiHandler<CreateTopicsRequestData> {
    private static final int BY_DEFAULT = -1;

    private final NodeContext node;
    private final Rights rights;

    CreateTopicsHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.CREATE_TOPICS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.CREATE_TOPICS);
    }

    @Override
    public void handle(Call<CreateTopicsRequestData> call) {
        CreateTopicsRequestData request = call.request();
        CreateTopicsResponseData response = new CreateTopicsResponseData();
        List<CreatableTopic> good = new ArrayList<>();
        for (CreatableTopic topic : request.topics()) {
            Errors error = refusal(call, topic);
            if (error == Errors.NONE) {
                good.add(topic);
            } else if (response.topics().find(topic.name()) == null) {
                response.topics().mustAdd(refused(topic.name(), error, Optional.ofNullable(error.message())));
            }
        }
        node.controller()
                .submit(
                        controller -> good.stream()
                                .map(topic -> create(controller, node.settings(), topic, request.validateOnly()))
                                .toList(),
                        call.guarded(results -> {
                            results.forEach(result -> response.topics().mustAdd(shownTo(call, result)));
                            call.answer(response);
                        }));
    }

    private Errors refusal(Call<CreateTopicsRequestData> call, CreatableTopic topic) {
        if (call.request().topics().findAll(topic.name()).size() > 1) {
            return Errors.INVALID_REQUEST;
        }
        boolean allowed = rights.allows(call, AclOperation.CREATE, ResourceType.CLUSTER, Rights.CLUSTER_NAME)
                || rights.allows(call, AclOperation.CREATE, ResourceType.TOPIC, topic.name());
        return allowed ? Errors.NONE : Errors.TOPIC_AUTHORIZATION_FAILED;
    }

    private CreatableTopicResult shownTo(Call<?> call, CreatableTopicResult result) {
        if (result.errorCode() != Errors.NONE.code()
                || rights.allows(call, AclOperation.DESCRIBE_CONFIGS, ResourceType.TOPIC, result.name())) {
            return result;
        }
        return new CreatableTopicResult()
                .setName(result.name())
                .setTopicId(result.topicId())
                .setTopicConfigErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code());
    }

    /** On the controller's thread. */
    private static CreatableTopicResult create(
            Controller controller, NodeSettings settings, CreatableTopic topic, boolean validateOnly) {
        String name = topic.name();
        try {
            Topic.validate(name);
        } catch (InvalidTopicException e) {
            return refused(name, Errors.INVALID_TOPIC_EXCEPTION, Optional.ofNullable(e.getMessage()));
        }
        if (controller.image().topic(name).isPresent()) {
            return refused(name, Errors.TOPIC_ALREADY_EXISTS, Optional.of("Topic '" + name + "' already exists."));
        }
        Optional<String> collision = controller.image().topics().stream()
                .map(TopicInfo::name)
                .filter(other -> Topic.hasCollision(name, other))
                .findFirst();
        if (collision.isPresent()) {
            return refused(
                    name,
                    Errors.INVALID_TOPIC_EXCEPTION,
                    Optional.of("Topic '" + name + "' collides with existing topic: " + collision.get()));
        }
        return create(controller, settings, topic, validateOnly, name);
    }

    private static CreatableTopicResult create(
            Controller controller, NodeSettings settings, CreatableTopic topic, boolean validateOnly, String name) {
        Map<String, String> configs = new HashMap<>();
        for (CreatableTopicConfig config : topic.configs()) {
            if (config.value() == null) {
                return refused(
                        name,
                        Errors.INVALID_CONFIG,
                        Optional.of("Null value not supported for topic configs: " + config.name()));
            }
            configs.put(config.name(), config.value());
        }
        Optional<String> wrong = ConfigTable.TOPIC.refusal(configs);
        if (wrong.isPresent()) {
            return refused(name, Errors.INVALID_CONFIG, wrong);
        }
        List<List<Integer>> replicas = new ArrayList<>();
        if (topic.assignments().isEmpty()) {
            int partitions = topic.numPartitions() == BY_DEFAULT
                    ? Math.toIntExact(settings.number("num.partitions"))
                    : topic.numPartitions();
            int factor = topic.replicationFactor() == BY_DEFAULT
                    ? Math.toIntExact(settings.number("default.replication.factor"))
                    : topic.replicationFactor();
            Optional<CreatableTopicResult> refused = refusal(controller, name, partitions, factor);
            if (refused.isPresent()) {
                return refused.get();
            }
            for (int i = 0; i < partitions; i++) {
                replicas.add(controller.spread(factor));
            }
        } else {
            Optional<CreatableTopicResult> refused = refusal(controller, topic);
            if (refused.isPresent()) {
                return refused.get();
            }
            topic.assignments().stream()
                    .sorted(Comparator.comparingInt(CreatableReplicaAssignment::partitionIndex))
                    .forEach(assignment -> replicas.add(assignment.brokerIds()));
        }
        CreatableTopicResult result = new CreatableTopicResult()
                .setName(name)
                .setNumPartitions(replicas.size())
                .setReplicationFactor((short) replicas.get(0).size())
                .setConfigs(configs.entrySet().stream()
                        .map(entry -> new CreatableTopicConfigs()
                                .setName(entry.getKey())
                                .setValue(entry.getValue())
                                .setConfigSource((byte) 1))
                        .toList());
        // As with a broker, what would be created has an id, too, which is nobody's.
        return result.setTopicId(
                validateOnly
                        ? Uuid.randomUuid()
                        : controller.createTopic(name, replicas, configs).id());
    }

    private static Optional<CreatableTopicResult> refusal(
            Controller controller, String name, int partitions, int factor) {
        if (partitions < 1) {
            return Optional.of(refused(
                    name,
                    Errors.INVALID_PARTITIONS,
                    Optional.of("Number of partitions was set to an invalid non-positive value.")));
        }
        long alive = controller.image().nodes().stream().filter(NodeInfo::alive).count();
        if (factor < 1 || factor > alive) {
            String message = factor < 1
                    ? "Replication factor must be larger than 0, or -1 to use the default value."
                    : "Unable to replicate the partition " + factor + " time(s): only " + alive + " node(s) are up.";
            return Optional.of(refused(name, Errors.INVALID_REPLICATION_FACTOR, Optional.of(message)));
        }
        return Optional.empty();
    }

    private static Optional<CreatableTopicResult> refusal(Controller controller, CreatableTopic topic) {
        String name = topic.name();
        if (topic.replicationFactor() != BY_DEFAULT || topic.numPartitions() != BY_DEFAULT) {
            String what = topic.replicationFactor() != BY_DEFAULT ? "replication factor" : "numPartitions";
            return Optional.of(refused(
                    name,
                    Errors.INVALID_REQUEST,
                    Optional.of("A manual partition assignment was specified, but " + what + " was not set to -1.")));
        }
        int factor = topic.assignments().iterator().next().brokerIds().size();
        for (CreatableReplicaAssignment assignment : topic.assignments()) {
            Optional<String> wrong = ReplicaAssignment.refusal(
                    controller.image(), assignment.partitionIndex(), assignment.brokerIds(), factor);
            if (wrong.isPresent()) {
                return Optional.of(refused(name, Errors.INVALID_REPLICA_ASSIGNMENT, wrong));
            }
        }
        for (int i = 0; i < topic.assignments().size(); i++) {
            if (topic.assignments().findAll(i).size() != 1) {
                return Optional.of(refused(
                        name,
                        Errors.INVALID_REPLICA_ASSIGNMENT,
                        Optional.of("partitions should be a consecutive 0-based integer sequence")));
            }
        }
        return Optional.empty();
    }

    private static CreatableTopicResult refused(String name, Errors error, Optional<String> message) {
        return new CreatableTopicResult()
                .setName(name)
                .setErrorCode(error.code())
                .setErrorMessage(message.orElse(error.message()));
    }
}
