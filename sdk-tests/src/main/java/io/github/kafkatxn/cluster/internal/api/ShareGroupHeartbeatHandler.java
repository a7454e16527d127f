package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.group.AssignedPartition;
import io.github.kafkatxn.cluster.internal.group.ShareProtocol;
import io.github.kafkatxn.cluster.internal.share.SharePartitionKey;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ShareGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ShareGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/**
 * ShareGroupHeartbeat (key 76, KIP-932).
 *
 * <p><b>Versions</b>: 1.
 *
 * <p><b>Behaviour</b>: READ on the group, DESCRIBE on every subscribed topic. Joins, stays and leaves. The share state
 * of new partitions is initialised after the answer; members get them with a later heartbeat.
 *
 * <p><b>Left out</b>: racks.
 */
final class ShareGroupHeartbeatHandler implements ApiHandler<ShareGroupHeartbeatRequestData> {
    /** Where the group begins is up to its configuration. */
    private static final long NO_OFFSET = -1;

    private final Set<String> underWay = new HashSet<>();
    private final NodeContext node;

    ShareGroupHeartbeatHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.SHARE_GROUP_HEARTBEAT.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.SHARE_GROUP_HEARTBEAT);
    }

    @Override
    public void handle(Call<ShareGroupHeartbeatRequestData> call) {
        ShareGroupHeartbeatRequestData request = call.request();
        if (!ShareRequests.isOn(node)) {
            call.answer(failed(Errors.UNSUPPORTED_VERSION, null));
            return;
        }
        if (!GroupRequests.mayGroup(node, call, AclOperation.READ, request.groupId())) {
            call.answer(failed(Errors.GROUP_AUTHORIZATION_FAILED, null));
            return;
        }
        List<String> topics = request.subscribedTopicNames();
        if (topics != null
                && !topics.stream()
                        .allMatch(topic -> GroupRequests.mayTopic(node, call, AclOperation.DESCRIBE, topic))) {
            call.answer(failed(Errors.TOPIC_AUTHORIZATION_FAILED, null));
            return;
        }
        try {
            call.answer(
                    node.groups().shardOf(request.groupId()).share().heartbeat(GroupRequests.caller(call), request));
            initialise(request.groupId());
        } catch (ApiException e) {
            call.answer(failed(Errors.forException(e), e.getMessage()));
        }
    }

    private void initialise(String group) {
        ShareProtocol.Uninitialised missing =
                node.groups().shardOf(group).share().uninitialised(group);
        if (missing.partitions().isEmpty() || !underWay.add(group)) {
            return;
        }
        List<AssignedPartition> done = new ArrayList<>();
        Gathering gathering = new Gathering(() -> {
            underWay.remove(group);
            tell(group, done);
        });
        for (AssignedPartition partition : missing.partitions()) {
            gathering.expect();
            SharePartitionKey key = new SharePartitionKey(group, partition.topicId(), partition.partition());
            node.share().states().initialise(key, missing.stateEpoch(), NO_OFFSET, error -> {
                if (error == Errors.NONE) {
                    done.add(partition);
                }
                gathering.arrived();
            });
        }
        gathering.arrived();
    }

    private void tell(String group, List<AssignedPartition> done) {
        try {
            node.groups().shardOf(group).share().initialised(group, done);
        } catch (ApiException e) {
            // The coordinator has moved: the next one initialises them again, which changes nothing.
            underWay.remove(group);
        }
    }

    private static ShareGroupHeartbeatResponseData failed(Errors error, @Nullable String message) {
        return new ShareGroupHeartbeatResponseData().setErrorCode(error.code()).setErrorMessage(message);
    }
}
