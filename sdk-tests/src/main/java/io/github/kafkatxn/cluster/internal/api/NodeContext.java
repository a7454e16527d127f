package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.group.GroupCoordinator;
import io.github.kafkatxn.cluster.internal.log.LedPartitions;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.node.Peers;
import io.github.kafkatxn.cluster.internal.share.ShareNode;
import io.github.kafkatxn.cluster.internal.txn.PartitionVerification;
import io.github.kafkatxn.cluster.internal.txn.TransactionCoordinator;
import java.util.function.Supplier;

/**
 * All that the handlers of a node work with. Handlers take from it what they need.
 *
 * @param nodeId the node's id
 * @param loop its thread and time
 * @param image what it knows of the cluster now
 * @param settings as a broker's configuration
 * @param partitions the partitions it leads
 * @param transactions its transaction coordinator
 * @param verification asks transaction coordinators before a transaction opens in a partition
 * @param groups its group coordinator
 * @param share its part in share groups
 * @param controller its way to the controller
 * @param peers its way to the other nodes
 * @param authorizer decides who may do what
 */
public record NodeContext(
        int nodeId,
        EventLoop loop,
        Supplier<ClusterImage> image,
        NodeSettings settings,
        LedPartitions partitions,
        TransactionCoordinator transactions,
        PartitionVerification verification,
        GroupCoordinator groups,
        ShareNode share,
        ControllerAccess controller,
        Peers peers,
        Authorizer authorizer) {}
