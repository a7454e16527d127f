package io.github.kafkatxn.cluster.internal.share;

import org.apache.kafka.common.Uuid;

/**
 * A partition as one share group sees it.
 *
 * @param group the group
 * @param topicId the id of the topic
 * @param partition its number
 */
public record SharePartitionKey(String group, Uuid topicId, int partition) {

    /** {@return what its share coordinator is found by} */
    public String coordinatorKey() {
        return group + ":" + topicId + ":" + partition;
    }
}
