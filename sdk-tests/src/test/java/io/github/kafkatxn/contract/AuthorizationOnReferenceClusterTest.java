package io.github.kafkatxn.contract;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/** {@link AuthorizationContract} on the reference cluster. */
class AuthorizationOnReferenceClusterTest {

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

    abstract static class OnReferenceCluster extends AuthorizationContract {
        private final ReferenceClusterTarget target;

        OnReferenceCluster(int transactionVersion) {
            target = ReferenceClusterTarget.startWithAcls(transactionVersion);
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
