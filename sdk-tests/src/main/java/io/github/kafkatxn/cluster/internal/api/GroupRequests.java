package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.group.Caller;
import io.github.kafkatxn.cluster.internal.group.GroupInventory;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
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

    /**
     * Describes a group of one of the newer protocols.
     *
     * @param describe what its coordinator says of it
     * @param topics those that its members want or have
     * @param failed makes the description that only says what is wrong
     * @return the description; nobody learns of members whose topics he may not describe
     */
    static <G> G describe(
            NodeContext node,
            Call<?> call,
            String id,
            Function<GroupInventory, G> describe,
            Function<G, Stream<String>> topics,
            Function<Errors, G> failed) {
        if (!mayGroup(node, call, AclOperation.DESCRIBE, id)) {
            return failed.apply(Errors.GROUP_AUTHORIZATION_FAILED);
        }
        if (id.isEmpty()) {
            return failed.apply(Errors.INVALID_GROUP_ID);
        }
        G group;
        try {
            group = describe.apply(node.groups().shardOf(id).inventory());
        } catch (ApiException e) {
            return failed.apply(Errors.forException(e));
        }
        return topics.apply(group).allMatch(topic -> mayTopic(node, call, AclOperation.DESCRIBE, topic))
                ? group
                : failed.apply(Errors.TOPIC_AUTHORIZATION_FAILED);
    }

    static boolean exists(ClusterImage image, String topic, int partition) {
        return image.partition(new TopicPartition(topic, partition)).isPresent();
    }

    /** {@return the operations on a group that the caller may do, one bit each} */
    static int authorizedOperations(NodeContext node, Call<?> call, String group) {
        return new Rights(node.authorizer()).operations(call, ResourceType.GROUP, group);
    }
}
