package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ConfigTable;
import io.github.kafkatxn.cluster.internal.metadata.Controller;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData.AlterConfigsResourceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.resource.ResourceType;

/**
 * IncrementalAlterConfigs (key 44).
 *
 * <p><b>Versions</b>: 0-1.
 *
 * <p><b>Behaviour</b>: sets, removes, and for lists adds and takes away, for topics and groups; all of a resource or
 * nothing of it. Names and values are checked as a broker does: INVALID_CONFIG. Needs ALTER_CONFIGS on the topic, the
 * group or the cluster. Nodes cannot be changed while they run: INVALID_REQUEST, as for what a broker reads at its
 * start only.
 *
 * <p><b>Left out</b>: loggers and client metrics (INVALID_REQUEST); the bounds that nodes set for groups
 * ({@code group.consumer.min.session.timeout.ms} and others like it): every value from 1 on is taken.
 */
final class IncrementalAlterConfigsHandler implements ApiHandler<IncrementalAlterConfigsRequestData> {
    private final NodeContext node;
    private final Rights rights;

    IncrementalAlterConfigsHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.INCREMENTAL_ALTER_CONFIGS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.INCREMENTAL_ALTER_CONFIGS);
    }

    @Override
    public void handle(Call<IncrementalAlterConfigsRequestData> call) {
        IncrementalAlterConfigsRequestData request = call.request();
        Map<AlterConfigsResource, ApiError> refusals = new HashMap<>();
        request.resources().forEach(resource -> refusals.put(resource, refusal(call, request, resource)));
        node.controller()
                .submit(
                        controller -> request.resources().stream()
                                .map(resource -> answer(
                                        resource,
                                        refusals.getOrDefault(resource, ApiError.NONE)
                                                        .isFailure()
                                                ? refusals.getOrDefault(resource, ApiError.NONE)
                                                : alter(controller, resource, request.validateOnly())))
                                .toList(),
                        answers -> call.answer(new IncrementalAlterConfigsResponseData().setResponses(answers)));
    }

    private ApiError refusal(Call<?> call, IncrementalAlterConfigsRequestData request, AlterConfigsResource resource) {
        long times = request.resources().stream()
                .filter(other -> other.resourceType() == resource.resourceType()
                        && other.resourceName().equals(resource.resourceName()))
                .count();
        if (times > 1) {
            return new ApiError(Errors.INVALID_REQUEST, "Each resource must appear at most once.");
        }
        List<AlterableConfig> configs = List.copyOf(resource.configs());
        if (configs.stream().map(AlterableConfig::name).distinct().count() < configs.size()) {
            return new ApiError(Errors.INVALID_REQUEST, "Error due to duplicate config keys");
        }
        String nulls = configs.stream()
                .filter(config -> config.value() == null && config.configOperation() != OpType.DELETE.id())
                .map(AlterableConfig::name)
                .collect(Collectors.joining(", "));
        if (!nulls.isEmpty()) {
            return new ApiError(Errors.INVALID_REQUEST, "Null value not supported for : " + nulls);
        }
        String name = resource.resourceName();
        return switch (ConfigResource.Type.forId(resource.resourceType())) {
            case TOPIC -> allowed(call, ResourceType.TOPIC, name, Errors.TOPIC_AUTHORIZATION_FAILED);
            case GROUP -> allowed(call, ResourceType.GROUP, name, Errors.GROUP_AUTHORIZATION_FAILED);
            case BROKER -> {
                ApiError allowed =
                        allowed(call, ResourceType.CLUSTER, Rights.CLUSTER_NAME, Errors.CLUSTER_AUTHORIZATION_FAILED);
                yield allowed.isFailure()
                        ? allowed
                        : new ApiError(
                                Errors.INVALID_REQUEST,
                                "Cannot update these configs dynamically: "
                                        + configs.stream()
                                                .map(AlterableConfig::name)
                                                .toList());
            }
            default -> new ApiError(Errors.INVALID_REQUEST, "Unknown resource type " + resource.resourceType());
        };
    }

    private ApiError allowed(Call<?> call, ResourceType type, String name, Errors refusal) {
        return rights.allows(call, AclOperation.ALTER_CONFIGS, type, name) ? ApiError.NONE : new ApiError(refusal);
    }

    /** On the controller's thread. */
    private ApiError alter(Controller controller, AlterConfigsResource resource, boolean validateOnly) {
        String name = resource.resourceName();
        boolean ofTopic = resource.resourceType() == ConfigResource.Type.TOPIC.id();
        ConfigTable table = ofTopic ? ConfigTable.TOPIC : ConfigTable.GROUP;
        if (name.isEmpty()) {
            return new ApiError(
                    Errors.INVALID_REQUEST, "Default " + (ofTopic ? "topic" : "group") + " resources are not allowed.");
        }
        Optional<TopicInfo> topic = controller.image().topic(name);
        if (ofTopic && topic.isEmpty()) {
            return new ApiError(TopicNames.missing(name));
        }
        Map<String, String> configs = new HashMap<>(topic.filter(found -> ofTopic)
                .map(TopicInfo::configs)
                .orElseGet(() -> controller.image().groupConfigs(name)));
        for (AlterableConfig config : resource.configs()) {
            ApiError error = change(table, configs, config);
            if (error.isFailure()) {
                return error;
            }
        }
        Optional<String> wrong = table.refusal(configs);
        if (wrong.isPresent()) {
            return new ApiError(Errors.INVALID_CONFIG, wrong.get());
        }
        if (!validateOnly && ofTopic) {
            controller.setTopicConfigs(name, configs);
        } else if (!validateOnly) {
            controller.setGroupConfigs(name, configs);
        }
        return ApiError.NONE;
    }

    private ApiError change(ConfigTable table, Map<String, String> configs, AlterableConfig config) {
        String name = config.name();
        OpType operation = OpType.forId(config.configOperation());
        if (operation == null) {
            // The controller of Apache Kafka stumbles over it.
            return new ApiError(Errors.UNKNOWN_SERVER_ERROR);
        }
        if (operation == OpType.SET) {
            configs.put(name, config.value());
        } else if (operation == OpType.DELETE) {
            configs.remove(name);
        } else if (!table.knows(name) || table.type(name) != ConfigDef.Type.LIST) {
            return new ApiError(
                    Errors.INVALID_CONFIG, "Can't " + operation + " to key " + name + " because its type is not LIST.");
        } else {
            String now = configs.getOrDefault(name, table.fallback(name, node.settings()));
            configs.put(
                    name,
                    operation == OpType.APPEND
                            ? ConfigTable.append(now, config.value())
                            : ConfigTable.subtract(now, config.value()));
        }
        return ApiError.NONE;
    }

    private static AlterConfigsResourceResponse answer(AlterConfigsResource resource, ApiError error) {
        return new AlterConfigsResourceResponse()
                .setResourceType(resource.resourceType())
                .setResourceName(resource.resourceName())
                .setErrorCode(error.error().code())
                .setErrorMessage(error.message());
    }
}
