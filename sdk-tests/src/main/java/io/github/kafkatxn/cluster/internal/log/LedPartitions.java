package io.github.kafkatxn.cluster.internal.log;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/** The partitions that a node leads now. Belongs to the node's thread. */
public final class LedPartitions {
    private final Map<TopicPartition, LedPartition> partitions = new LinkedHashMap<>();

    /**
     * A partition.
     *
     * @param partition which
     * @return the partition, empty if this node does not lead it, or has no log of it yet
     */
    public Optional<LedPartition> find(TopicPartition partition) {
        return Optional.ofNullable(partitions.get(partition));
    }

    /** {@return all of them} */
    public Collection<LedPartition> all() {
        return partitions.values();
    }

    /**
     * This node leads a partition from now on.
     *
     * @param partition with its log
     */
    public void add(LedPartition partition) {
        partitions.put(partition.id().topicPartition(), partition);
    }

    /**
     * This node does not lead a partition any more. Who watches it is told.
     *
     * @param partition which
     * @return what it led, empty if it did not
     */
    public Optional<LedPartition> remove(TopicPartition partition) {
        Optional<LedPartition> removed = Optional.ofNullable(partitions.remove(partition));
        removed.ifPresent(LedPartition::changed);
        return removed;
    }
}
