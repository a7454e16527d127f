package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.protocol.Errors;

/**
 * A topic that a request commits offsets of.
 *
 * @param image what the node knows of the cluster
 * @param name its name, as far as it is known
 * @param id its id, as far as it is known
 * @param error what is wrong with all of it, or NONE
 */
record OffsetsTopic(ClusterImage image, String name, Uuid id, Errors error) {

    /** {@return the topic that is named by its id or, in older versions, by its name} */
    static OffsetsTopic of(NodeContext node, Call<?> call, boolean byId, Uuid askedId, String askedName) {
        ClusterImage image = node.image().get();
        Optional<TopicInfo> topic = byId ? image.topic(askedId) : image.topic(askedName);
        String name = topic.map(TopicInfo::name).orElse(askedName);
        Errors error = Errors.NONE;
        if (byId && topic.isEmpty()) {
            error = Errors.UNKNOWN_TOPIC_ID;
        } else if (!GroupRequests.mayTopic(node, call, AclOperation.READ, name)) {
            error = Errors.TOPIC_AUTHORIZATION_FAILED;
        } else if (topic.isEmpty()) {
            error = Errors.UNKNOWN_TOPIC_OR_PARTITION;
        }
        return new OffsetsTopic(image, name, topic.map(TopicInfo::id).orElse(askedId), error);
    }

    /** {@return NONE if the group coordinator may be asked about the partition, else the answer for it} */
    Errors check(int partition) {
        if (error != Errors.NONE) {
            return error;
        }
        return GroupRequests.exists(image, name, partition) ? Errors.NONE : Errors.UNKNOWN_TOPIC_OR_PARTITION;
    }
}
