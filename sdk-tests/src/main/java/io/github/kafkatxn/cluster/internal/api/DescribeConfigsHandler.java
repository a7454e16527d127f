package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ConfigTable;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.DescribeConfigsRequestData;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * DescribeConfigs (key 32).
 *
 * <p><b>Versions</b>: 1-4.
 *
 * <p><b>Behaviour</b>: the configuration of topics, groups and of this node, each value with where it comes from. Needs
 * DESCRIBE_CONFIGS on the topic, the group or the cluster. What nodes do not have, they do not list.
 *
 * <p><b>Left out</b>: loggers and client metrics (INVALID_REQUEST); synonyms and documentation, which are empty; the
 * types of what is set for nodes; what is not in this cluster, as tiered storage.
 */
final class DescribeConfigsHandler implements ApiHandler<DescribeConfigsRequestData> {
    private final NodeContext node;
    private final Rights rights;

    DescribeConfigsHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.DESCRIBE_CONFIGS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.DESCRIBE_CONFIGS);
    }

    @Override
    public void handle(Call<DescribeConfigsRequestData> call) {
        call.answer(new DescribeConfigsResponseData()
                .setResults(call.request().resources().stream()
                        .map(resource -> describe(call, resource)
                                .setResourceType(resource.resourceType())
                                .setResourceName(resource.resourceName()))
                        .toList()));
    }

    private DescribeConfigsResult describe(Call<?> call, DescribeConfigsResource resource) {
        String name = resource.resourceName();
        return switch (ConfigResource.Type.forId(resource.resourceType())) {
            case TOPIC ->
                rights.allows(call, AclOperation.DESCRIBE_CONFIGS, ResourceType.TOPIC, name)
                        ? topic(resource)
                        : refused(Errors.TOPIC_AUTHORIZATION_FAILED);
            case GROUP ->
                rights.allows(call, AclOperation.DESCRIBE_CONFIGS, ResourceType.GROUP, name)
                        ? group(resource)
                        : refused(Errors.GROUP_AUTHORIZATION_FAILED);
            case BROKER ->
                rights.allows(call, AclOperation.DESCRIBE_CONFIGS, ResourceType.CLUSTER, Rights.CLUSTER_NAME)
                        ? broker(resource)
                        : refused(Errors.CLUSTER_AUTHORIZATION_FAILED);
            default -> refused(Errors.INVALID_REQUEST);
        };
    }

    private DescribeConfigsResult topic(DescribeConfigsResource resource) {
        return node.image()
                .get()
                .topic(resource.resourceName())
                .map(topic -> described(resource, ConfigTable.TOPIC, topic.configs(), ConfigSource.TOPIC_CONFIG))
                .orElseGet(() -> refused(TopicNames.missing(resource.resourceName())));
    }

    private DescribeConfigsResult group(DescribeConfigsResource resource) {
        String group = resource.resourceName();
        return group.isEmpty()
                ? refused(Errors.INVALID_REQUEST, "Group name must not be empty")
                : described(
                        resource, ConfigTable.GROUP, node.image().get().groupConfigs(group), ConfigSource.GROUP_CONFIG);
    }

    private DescribeConfigsResult described(
            DescribeConfigsResource resource, ConfigTable table, Map<String, String> set, ConfigSource source) {
        return new DescribeConfigsResult()
                .setConfigs(table.names().stream()
                        .filter(name -> wants(resource, name))
                        .map(name -> value(
                                        name,
                                        set.getOrDefault(name, table.fallback(name, node.settings())),
                                        set.containsKey(name) ? source : ConfigSource.DEFAULT_CONFIG)
                                .setConfigType(type(table.type(name)).id()))
                        .toList());
    }

    private DescribeConfigsResult broker(DescribeConfigsResource resource) {
        String id = resource.resourceName();
        if (!id.isEmpty() && !id.equals(Integer.toString(node.nodeId()))) {
            return refused(
                    Errors.INVALID_REQUEST,
                    "Unexpected broker id, expected " + node.nodeId() + " or empty string, but received " + id);
        }
        NodeSettings settings = node.settings();
        // The empty name stands for what was changed for all nodes while they run: nothing can be.
        return new DescribeConfigsResult()
                .setConfigs(settings.all().entrySet().stream()
                        .filter(setting -> !id.isEmpty() && wants(resource, setting.getKey()))
                        .filter(setting -> !setting.getKey().startsWith(NodeSettings.USER_PREFIX))
                        .map(setting -> value(
                                        setting.getKey(),
                                        setting.getValue(),
                                        settings.isDefault(setting.getKey())
                                                ? ConfigSource.DEFAULT_CONFIG
                                                : ConfigSource.STATIC_BROKER_CONFIG)
                                .setReadOnly(true))
                        .toList());
    }

    private static boolean wants(DescribeConfigsResource resource, String name) {
        List<String> names = resource.configurationKeys();
        return names == null || names.isEmpty() || names.contains(name);
    }

    private static DescribeConfigsResourceResult value(String name, String value, ConfigSource source) {
        return new DescribeConfigsResourceResult().setName(name).setValue(value).setConfigSource(source.id());
    }

    private static ConfigType type(ConfigDef.Type type) {
        return ConfigType.valueOf(type.name());
    }

    private static DescribeConfigsResult refused(Errors error) {
        return refused(error, error.message());
    }

    private static DescribeConfigsResult refused(Errors error, String message) {
        return new DescribeConfigsResult().setErrorCode(error.code()).setErrorMessage(message);
    }
}
