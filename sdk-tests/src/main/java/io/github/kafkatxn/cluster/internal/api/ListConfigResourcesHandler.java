package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.NodeInfo;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ListConfigResourcesRequestData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData;
import org.apache.kafka.common.message.ListConfigResourcesResponseData.ConfigResource;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;

/**
 * ListConfigResources (key 74).
 *
 * <p><b>Versions</b>: 0-1; 0 is about client metrics only.
 *
 * <p><b>Behaviour</b>: the names of what has configuration; groups are those that something was set for. Needs
 * DESCRIBE_CONFIGS on the cluster. A type that is not known: UNSUPPORTED_VERSION.
 *
 * <p><b>Left out</b>: client metrics, of which there are none.
 */
final class ListConfigResourcesHandler implements ApiHandler<ListConfigResourcesRequestData> {
    private static final List<org.apache.kafka.common.config.ConfigResource.Type> ALL = List.of(
            org.apache.kafka.common.config.ConfigResource.Type.GROUP,
            org.apache.kafka.common.config.ConfigResource.Type.CLIENT_METRICS,
            org.apache.kafka.common.config.ConfigResource.Type.BROKER_LOGGER,
            org.apache.kafka.common.config.ConfigResource.Type.BROKER,
            org.apache.kafka.common.config.ConfigResource.Type.TOPIC);

    private final NodeContext node;
    private final Rights rights;

    ListConfigResourcesHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.LIST_CONFIG_RESOURCES.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.LIST_CONFIG_RESOURCES);
    }

    @Override
    public void handle(Call<ListConfigResourcesRequestData> call) {
        ListConfigResourcesResponseData response = new ListConfigResourcesResponseData();
        if (!rights.allows(call, AclOperation.DESCRIBE_CONFIGS, ResourceType.CLUSTER, Rights.CLUSTER_NAME)) {
            call.answer(response.setErrorCode(Errors.CLUSTER_AUTHORIZATION_FAILED.code()));
            return;
        }
        List<org.apache.kafka.common.config.ConfigResource.Type> known =
                call.version() == 0 ? List.of(org.apache.kafka.common.config.ConfigResource.Type.CLIENT_METRICS) : ALL;
        Set<Byte> wanted = Set.copyOf(call.request().resourceTypes());
        if (!wanted.stream()
                .allMatch(type -> known.contains(org.apache.kafka.common.config.ConfigResource.Type.forId(type)))) {
            call.answer(response.setErrorCode(Errors.UNSUPPORTED_VERSION.code()));
            return;
        }
        for (org.apache.kafka.common.config.ConfigResource.Type type : known) {
            if (wanted.isEmpty() || wanted.contains(type.id())) {
                names(type)
                        .forEach(name -> response.configResources()
                                .add(new ConfigResource()
                                        .setResourceType(type.id())
                                        .setResourceName(name)));
            }
        }
        call.answer(response);
    }

    private Stream<String> names(org.apache.kafka.common.config.ConfigResource.Type type) {
        ClusterImage image = node.image().get();
        return switch (type) {
            case GROUP -> image.groupConfigs().keySet().stream().sorted();
            case TOPIC -> image.topics().stream().map(TopicInfo::name);
            case BROKER, BROKER_LOGGER ->
                image.nodes().stream().map(NodeInfo::id).map(String::valueOf);
            default -> Stream.empty();
        };
    }
}
