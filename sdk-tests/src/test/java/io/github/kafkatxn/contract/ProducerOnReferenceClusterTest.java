package io.github.kafkatxn.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The producer's contracts on the reference cluster. */
class ProducerOnReferenceClusterTest {

    @Nested
    class OnTransactionVersion1 extends OnReferenceCluster {
        OnTransactionVersion1() {
            super(1);
        }
    }

    @Nested
    class OnTransactionVersion2 extends OnReferenceCluster {
        OnTransactionVersion2() {
            super(2);
        }
    }

    @TestInstance(Lifecycle.PER_CLASS)
    abstract static class OnReferenceCluster extends ProducerContracts {
        private final ReferenceClusterTarget target;

        OnReferenceCluster(int transactionVersion) {
            target = ReferenceClusterTarget.start(transactionVersion);
        }

        @Override
        protected KafkaTarget target() {
            return target;
        }

        @AfterAll
        void stop() {
            target.close();
        }
    }
}
