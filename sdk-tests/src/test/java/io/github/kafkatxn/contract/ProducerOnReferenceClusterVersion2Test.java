package io.github.kafkatxn.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** The producer's contracts on the reference cluster with {@code transaction.version} 2. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProducerOnReferenceClusterVersion2Test extends ProducerContracts {
    private final ReferenceClusterTarget target = ReferenceClusterTarget.start(2);

    @Override
    protected KafkaTarget target() {
        return target;
    }

    @AfterAll
    void stop() {
        target.cluster().close();
    }
}
