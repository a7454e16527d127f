package io.github.kafkatxn.cluster.internal.share;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import java.util.function.Supplier;

/**
 * What a node has of share groups.
 *
 * @param coordinator keeps the states of share partitions
 * @param states its way to the share coordinators of all nodes
 * @param partitions the share partitions it leads
 * @param relay hands markers on to the leaders of share partitions
 */
public record ShareNode(
        ShareCoordinator coordinator, ShareStates states, SharePartitions partitions, MarkerRelay relay) {

    /**
     * A node without share groups yet.
     *
     * @param nodeId the node
     * @param image what it knows of the cluster
     * @param settings its configuration
     * @param states its way to the share coordinators
     * @param relay its way to the leaders of share partitions
     * @param loop its thread and time
     * @return its part in share groups
     */
    public static ShareNode of(
            int nodeId,
            Supplier<ClusterImage> image,
            NodeSettings settings,
            ShareStates states,
            MarkerRelay relay,
            EventLoop loop) {
        return new ShareNode(
                new ShareCoordinator(nodeId, loop, image),
                states,
                new SharePartitions(loop, image, settings, states),
                relay);
    }
}
