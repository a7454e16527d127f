package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.group.Caller;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;

/** What the handlers of groups have in common: who asks, and what he may. */
final class GroupRequests {
    private GroupRequests() {}

    static Caller caller(Call<?> call) {
        return new Caller(call.version(), call.clientId(), call.connection().clientHost());
    }

    static boolean mayGroup(NodeContext node, Call<?> call, AclOperation operation, String group) {
        return node.authorizer().allows(call.principal(), operation, ResourceType.GROUP, group);
    }

    static boolean mayTopic(NodeContext node, Call<?> call, AclOperation operation, String topic) {
        return node.authorizer().allows(call.principal(), operation, ResourceType.TOPIC, topic);
    }

    /** {@return what is wrong with a request for a group that needs an id and READ} */
    static Errors checkMember(NodeContext node, Call<?> call, String group) {
        if (!mayGroup(node, call, AclOperation.READ, group)) {
            return Errors.GROUP_AUTHORIZATION_FAILED;
        }
        return group.isEmpty() ? Errors.INVALID_GROUP_ID : Errors.NONE;
    }

    static boolean exists(ClusterImage image, String topic, int partition) {
        return image.partition(new TopicPartition(topic, partition)).isPresent();
    }

    /** {@return the operations on a group that the caller may do, one bit each} */
    static int authorizedOperations(NodeContext node, Call<?> call, String group) {
        return new Rights(node.authorizer()).operations(call, ResourceType.GROUP, group);
    }
}
