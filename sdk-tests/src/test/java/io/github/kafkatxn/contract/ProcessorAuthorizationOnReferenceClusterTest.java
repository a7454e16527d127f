package io.github.kafkatxn.contract;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;

/** {@link ProcessorAuthorizationContract} on the reference cluster. */
class ProcessorAuthorizationOnReferenceClusterTest {

    @Nested
    class OnTransactionVersion1 extends ProcessorAuthorizationContract {
        @AutoClose
        private final ReferenceClusterTarget target = ReferenceClusterTarget.startWithAcls(1);

        @Override
        protected KafkaTarget target() {
            return target;
        }
    }

    @Nested
    class OnTransactionVersion2 extends ProcessorAuthorizationContract {
        @AutoClose
        private final ReferenceClusterTarget target = ReferenceClusterTarget.startWithAcls(2);

        @Override
        protected KafkaTarget target() {
            return target;
        }
    }
}
