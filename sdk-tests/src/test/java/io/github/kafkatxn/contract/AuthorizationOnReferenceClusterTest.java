package io.github.kafkatxn.contract;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;

/** {@link AuthorizationContract} on the reference cluster. */
class AuthorizationOnReferenceClusterTest {

    @Nested
    class OnTransactionVersion1 extends AuthorizationContract {
        @AutoClose
        private final ReferenceClusterTarget target = ReferenceClusterTarget.startWithAcls(1);

        @Override
        protected KafkaTarget target() {
            return target;
        }
    }

    @Nested
    class OnTransactionVersion2 extends AuthorizationContract {
        @AutoClose
        private final ReferenceClusterTarget target = ReferenceClusterTarget.startWithAcls(2);

        @Override
        protected KafkaTarget target() {
            return target;
        }
    }
}
