package io.github.kafkatxn.contract;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;

/** The processor's contracts on the reference cluster with {@code transaction.version} 1. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProcessorOnReferenceVersion1Test extends ProcessorContracts {
    @AutoClose
    private final ReferenceClusterTarget target = ReferenceClusterTarget.start(1);

    @Override
    protected KafkaTarget target() {
        return target;
    }
}
