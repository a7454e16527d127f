package io.github.kafkatxn.cluster.internal.net;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import java.util.function.Supplier;

/** What a node knows of the cluster, and what it is made to believe. Belongs to the node's thread. */
final class ImageView implements Supplier<ClusterImage> {
    private ClusterImage known;
    private ClusterImage shown;

    ImageView(ClusterImage first) {
        this.known = first;
        this.shown = first;
    }

    @Override
    public ClusterImage get() {
        return shown;
    }

    ClusterImage known() {
        return known;
    }

    void learn(ClusterImage next) {
        known = next;
        shown = next;
    }

    /** Whoever asks while the task runs is shown that image. */
    void showing(ClusterImage image, Runnable task) {
        shown = image;
        try {
            task.run();
        } finally {
            shown = known;
        }
    }
}
