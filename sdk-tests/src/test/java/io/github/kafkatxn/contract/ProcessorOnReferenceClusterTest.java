package io.github.kafkatxn.contract;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The processor's contracts on the reference cluster. */
class ProcessorOnReferenceClusterTest {

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class OnTransactionVersion1 extends ProcessorContracts {
        @AutoClose
        private final ReferenceClusterTarget target = ReferenceClusterTarget.start(1);

        @Override
        protected KafkaTarget target() {
            return target;
        }
    }

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class OnTransactionVersion2 extends ProcessorContracts {
        @AutoClose
        private final ReferenceClusterTarget target = ReferenceClusterTarget.start(2);

        @Override
        protected KafkaTarget target() {
            return target;
        }
    }
}
