package io.github.kafkatxn.cluster.internal.group;

import org.apache.kafka.common.Uuid;

/**
 * A partition that a member of a group has, or shall have.
 *
 * @param topicId the id of its topic
 * @param partition its number
 */
public record AssignedPartition(Uuid topicId, int partition) implements Comparable<AssignedPartition> {

    @Override
    public int compareTo(AssignedPartition other) {
        int topics = topicId.compareTo(other.topicId);
        return topics != 0 ? topics : Integer.compare(partition, other.partition);
    }
}
