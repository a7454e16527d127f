package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks replicas that were assigned by hand. */
final class ReplicaAssignment {
    private static final String PREFIX = "The manual partition assignment includes ";

    private ReplicaAssignment() {}

    /**
     * What is wrong with the replicas of a new partition.
     *
     * @param image what the controller knows
     * @param partition the number of the partition
     * @param replicas the nodes, the leader first
     * @param factor how many replicas other partitions of the topic have
     * @return what, in words; empty if they are right
     */
    static Optional<String> refusal(ClusterImage image, int partition, List<Integer> replicas, int factor) {
        if (replicas.isEmpty()) {
            return Optional.of(PREFIX + "an empty replica list.");
        }
        Set<Integer> seen = new HashSet<>();
        for (int replica : replicas) {
            if (image.node(replica).isEmpty()) {
                return Optional.of(PREFIX + "broker " + replica + ", but no such broker is registered.");
            }
            if (!seen.add(replica)) {
                return Optional.of(PREFIX + "the broker " + replica + " more than once.");
            }
        }
        if (replicas.size() != factor) {
            return Optional.of(PREFIX + "a partition with " + replicas.size()
                    + " replica(s), but this is not consistent with previous partitions, which have " + factor
                    + " replica(s).");
        }
        return replicas.stream().anyMatch(image::isAlive)
                ? Optional.empty()
                : Optional.of("All brokers specified in the manual partition assignment for partition " + partition
                        + " are fenced or in controlled shutdown.");
    }
}
