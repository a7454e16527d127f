package io.github.kafkatxn.differential;

import io.github.kafkatxn.apache.ApacheKafka;
import io.github.kafkatxn.cluster.ReferenceCluster;
import java.util.List;

/** Where everybody may do everything. */
abstract class OpenDifferentialTest extends DifferentialTest {
    private static final int MANY = 800;

    private final int transactionVersion;
    private final ReferenceCluster cluster;

    OpenDifferentialTest(int transactionVersion, List<String> areas) throws Exception {
        super(KnownDifferences.load(transactionVersion), areas, MANY);
        this.transactionVersion = transactionVersion;
        this.cluster = ReferenceClusters.start(transactionVersion);
    }

    @Override
    Access apacheKafka() {
        return Access.open(ApacheKafka.shared(transactionVersion).bootstrapServers());
    }

    @Override
    Access referenceCluster() {
        return Access.open(cluster.bootstrapServers());
    }

    @Override
    void close() {
        cluster.close();
    }
}
