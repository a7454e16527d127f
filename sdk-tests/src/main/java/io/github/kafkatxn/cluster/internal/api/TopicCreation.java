package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.NodeInfo;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Creates topics that are used before anybody has created them. Belongs to the node's thread. */
public final class TopicCreation {
    private static final int INTERNAL_REPLICAS = 3;

    private final Set<String> underWay = new HashSet<>();
    private final NodeSettings settings;
    private final ControllerAccess controller;

    /**
     * Creates nothing yet.
     *
     * @param settings the node's configuration
     * @param controller its way to the controller
     */
    public TopicCreation(NodeSettings settings, ControllerAccess controller) {
        this.settings = settings;
        this.controller = controller;
    }

    /**
     * The topic will be there soon, with the partitions and replicas that it gets by itself.
     *
     * @param name its name
     */
    public void ensure(String name) {
        if (!underWay.add(name)) {
            return;
        }
        int partitions = Math.toIntExact(settings.number(partitionsSetting(name)));
        controller.submit(
                decide -> {
                    ClusterImage image = decide.image();
                    if (image.topic(name).isEmpty()) {
                        decide.createTopic(name, partitions, replicas(image, name), Map.of());
                    }
                    return name;
                },
                underWay::remove);
    }

    private int replicas(ClusterImage image, String name) {
        int alive = (int) image.nodes().stream().filter(NodeInfo::alive).count();
        int wanted = InternalTopics.contains(name)
                ? INTERNAL_REPLICAS
                : Math.toIntExact(settings.number("default.replication.factor"));
        return Math.min(wanted, alive);
    }

    private static String partitionsSetting(String name) {
        return switch (name) {
            case InternalTopics.OFFSETS -> "offsets.topic.num.partitions";
            case InternalTopics.TRANSACTIONS -> "transaction.state.log.num.partitions";
            case InternalTopics.SHARE_STATE -> "share.coordinator.state.topic.num.partitions";
            default -> "num.partitions";
        };
    }
}
