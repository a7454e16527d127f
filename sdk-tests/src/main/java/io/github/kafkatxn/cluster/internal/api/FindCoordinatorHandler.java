package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.NodeInfo;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.FindCoordinatorRequestData;
import org.apache.kafka.common.message.FindCoordinatorResponseData;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * FindCoordinator (key 10).
 *
 * <p><b>Versions</b>: 0-6; one key up to 3, several from 4 on.
 *
 * <p><b>Behaviour</b>: the leader of the key's partition of the internal topic. The topic is created when it is
 * missing, and the answer is COORDINATOR_NOT_AVAILABLE until it has a leader. Needs DESCRIBE on the group or the
 * transactional id; CLUSTER_ACTION for a share partition, whose key is {@code group:topicId:partition} and which
 * version 6 brought.
 *
 * <p><b>Left out</b>: nothing.
 */
final class FindCoordinatorHandler implements ApiHandler<FindCoordinatorRequestData> {
    private static final short BATCHED = 4;
    private static final short SHARE_SINCE = 6;
    private static final Pattern SHARE_PARTITION = Pattern.compile(".+:[A-Za-z0-9_-]{22}:[0-9]+", Pattern.DOTALL);

    private final NodeContext node;
    private final TopicCreation creation;
    private final Rights rights;

    FindCoordinatorHandler(NodeContext node, TopicCreation creation, Rights rights) {
        this.node = node;
        this.creation = creation;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.FIND_COORDINATOR.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.FIND_COORDINATOR);
    }

    @Override
    public void handle(Call<FindCoordinatorRequestData> call) {
        FindCoordinatorRequestData request = call.request();
        FindCoordinatorResponseData response = new FindCoordinatorResponseData();
        if (call.version() >= BATCHED) {
            request.coordinatorKeys().forEach(key -> response.coordinators().add(find(call, request.keyType(), key)));
        } else {
            Coordinator found = find(call, request.keyType(), request.key());
            response.setErrorCode(found.errorCode())
                    .setErrorMessage(found.errorMessage())
                    .setNodeId(found.nodeId())
                    .setHost(found.host())
                    .setPort(found.port());
        }
        call.answer(response);
    }

    private Coordinator find(Call<?> call, byte type, String key) {
        if (type == CoordinatorType.GROUP.id()) {
            return rights.allows(call, AclOperation.DESCRIBE, ResourceType.GROUP, key)
                    ? find(InternalTopics.OFFSETS, key)
                    : refused(key, Errors.GROUP_AUTHORIZATION_FAILED);
        }
        if (type == CoordinatorType.TRANSACTION.id()) {
            return rights.allows(call, AclOperation.DESCRIBE, ResourceType.TRANSACTIONAL_ID, key)
                    ? find(InternalTopics.TRANSACTIONS, key)
                    : refused(key, Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED);
        }
        if (type != CoordinatorType.SHARE.id() || call.version() < SHARE_SINCE) {
            return refused(key, Errors.INVALID_REQUEST);
        }
        if (!rights.allows(call, AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, Rights.CLUSTER_NAME)) {
            return refused(key, Errors.CLUSTER_AUTHORIZATION_FAILED);
        }
        return isSharePartition(key) ? find(InternalTopics.SHARE_STATE, key) : refused(key, Errors.INVALID_REQUEST);
    }

    private static boolean isSharePartition(String key) {
        return SHARE_PARTITION.matcher(key).matches();
    }

    private Coordinator find(String topic, String key) {
        ClusterImage image = node.image().get();
        if (image.topic(topic).isEmpty()) {
            creation.ensure(topic);
        }
        Optional<NodeInfo> found = image.coordinator(topic, key);
        return found.map(info -> new Coordinator()
                        .setKey(key)
                        .setNodeId(info.id())
                        .setHost(info.host())
                        .setPort(info.port())
                        .setErrorMessage(""))
                .orElseGet(() -> refused(key, Errors.COORDINATOR_NOT_AVAILABLE));
    }

    private static Coordinator refused(String key, Errors error) {
        return new Coordinator()
                .setKey(key)
                .setErrorCode(error.code())
                .setErrorMessage(error.message())
                .setNodeId(-1)
                .setHost("")
                .setPort(-1);
    }
}
