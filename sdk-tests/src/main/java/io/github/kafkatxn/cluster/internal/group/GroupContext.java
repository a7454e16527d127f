package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import java.util.function.Supplier;

/** What the parts of the coordinator work with. */
record GroupContext(EventLoop loop, Supplier<ClusterImage> image, NodeSettings settings) {

    /** A number that may be set for a group, else for all of them. */
    long groupNumber(String group, String name, String brokerName) {
        String set = image.get().groupConfigs(group).get(name);
        return set == null ? settings.number(brokerName) : Long.parseLong(set);
    }
}
