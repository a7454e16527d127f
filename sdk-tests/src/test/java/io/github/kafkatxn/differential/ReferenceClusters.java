package io.github.kafkatxn.differential;

import io.github.kafkatxn.cluster.ClusterSettings;
import io.github.kafkatxn.cluster.ReferenceCluster;

/** Reference clusters with the same broker properties as the Apache Kafka of the tests. */
final class ReferenceClusters {
    private ReferenceClusters() {}

    static ReferenceCluster start(int transactionVersion) {
        return ReferenceCluster.start(settings(transactionVersion).build());
    }

    static ClusterSettings.Builder settings(int transactionVersion) {
        return ClusterSettings.builder()
                .transactionVersion(transactionVersion)
                .nodeProperty("auto.create.topics.enable", false)
                .nodeProperty("offsets.topic.num.partitions", 4)
                .nodeProperty("transaction.state.log.num.partitions", 4)
                .nodeProperty("group.initial.rebalance.delay.ms", 0)
                .nodeProperty("group.min.session.timeout.ms", 100);
    }
}
