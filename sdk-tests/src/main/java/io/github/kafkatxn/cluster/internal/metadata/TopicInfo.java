package io.github.kafkatxn.cluster.internal.metadata;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.Uuid;

/**
 * A topic as the cluster knows it.
 *
 * @param name its name
 * @param id its id, another one when the topic is deleted and created again
 * @param partitions by their numbers, from 0
 * @param configs what was set for it
 */
public record TopicInfo(String name, Uuid id, List<PartitionInfo> partitions, Map<String, String> configs) {

    /** Takes copies. */
    public TopicInfo {
        partitions = List.copyOf(partitions);
        configs = Map.copyOf(configs);
    }

    /**
     * A partition.
     *
     * @param index its number, any number
     * @return the partition, empty if there is none of that number
     */
    public Optional<PartitionInfo> partition(int index) {
        return index >= 0 && index < partitions.size() ? Optional.of(partitions.get(index)) : Optional.empty();
    }
}
