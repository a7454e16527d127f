package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/** What the handlers of share groups have in common: whether there are any, who asks, and what he may. */
final class ShareRequests {
    private ShareRequests() {}

    static boolean isOn(NodeContext node) {
        return node.image().get().shareVersion() > 0;
    }

    /** {@return what is wrong with a request of a member, apart from its records} */
    static Errors checkMember(NodeContext node, Call<?> call, @Nullable String group, @Nullable String member) {
        if (!isOn(node)) {
            return Errors.UNSUPPORTED_VERSION;
        }
        if (group == null || group.isEmpty() || member == null || member.isEmpty()) {
            return Errors.INVALID_REQUEST;
        }
        return GroupRequests.mayGroup(node, call, AclOperation.READ, group)
                ? Errors.NONE
                : Errors.GROUP_AUTHORIZATION_FAILED;
    }

    /** {@return what is wrong with a request of an administrator for a group} */
    static Errors checkGroup(NodeContext node, Call<?> call, AclOperation operation, String group) {
        if (!isOn(node)) {
            return Errors.UNSUPPORTED_VERSION;
        }
        if (!GroupRequests.mayGroup(node, call, operation, group)) {
            return Errors.GROUP_AUTHORIZATION_FAILED;
        }
        return group.isEmpty() ? Errors.INVALID_GROUP_ID : Errors.NONE;
    }

    static boolean mayActOnCluster(NodeContext node, Call<?> call) {
        return node.authorizer()
                .allows(call.principal(), AclOperation.CLUSTER_ACTION, ResourceType.CLUSTER, Rights.CLUSTER_NAME);
    }

    /** {@return how long a member of a group holds a record} */
    static int lockMs(NodeContext node, String group) {
        String set = node.image().get().groupConfigs(group).get("share.record.lock.duration.ms");
        return set == null
                ? (int) node.settings().number("group.share.record.lock.duration.ms")
                : Integer.parseInt(set);
    }

    /**
     * A partition that a member names by the id of its topic.
     *
     * @param error NONE if this node leads it and the member may read it
     * @param partition it, unless its topic is not known
     * @param led it, if there is no error
     */
    record Target(
            Errors error,
            @Nullable TopicPartition partition,
            @Nullable LedPartition led) {}

    static Target target(NodeContext node, Call<?> call, Uuid topicId, int index) {
        ClusterImage image = node.image().get();
        Optional<TopicInfo> topic = image.topic(topicId);
        if (topic.isEmpty()) {
            return new Target(Errors.UNKNOWN_TOPIC_ID, null, null);
        }
        TopicPartition partition = new TopicPartition(topic.get().name(), index);
        if (!GroupRequests.mayTopic(node, call, AclOperation.READ, partition.topic())) {
            return new Target(Errors.TOPIC_AUTHORIZATION_FAILED, partition, null);
        }
        if (image.partition(partition).isEmpty()) {
            return new Target(Errors.UNKNOWN_TOPIC_OR_PARTITION, partition, null);
        }
        return node.partitions()
                .find(partition)
                .map(led -> new Target(Errors.NONE, partition, led))
                .orElseGet(() -> new Target(Errors.NOT_LEADER_OR_FOLLOWER, partition, null));
    }
}
