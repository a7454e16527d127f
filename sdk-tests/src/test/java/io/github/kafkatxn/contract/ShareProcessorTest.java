package io.github.kafkatxn.contract;

import io.github.kafkatxn.processor.Guarantee;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;

/** {@link ShareProcessorContract} where acknowledgements can be part of a transaction, and where they cannot. */
class ShareProcessorTest {

    @Nested
    class OnReferenceCluster extends OnReferenceClusterOfVersion {
        OnReferenceCluster() {
            super(3, Guarantee.EXACTLY_ONCE);
        }
    }

    @Nested
    class OnReferenceClusterWithoutTheKip extends OnReferenceClusterOfVersion {
        OnReferenceClusterWithoutTheKip() {
            super(2, Guarantee.AT_LEAST_ONCE);
        }
    }

    @Nested
    class OnApacheKafka extends ShareProcessorContract {
        private final KafkaTarget target = ApacheKafkaTarget.shared(2);

        @Override
        protected KafkaTarget target() {
            return target;
        }

        @Override
        protected Guarantee guarantee() {
            return Guarantee.AT_LEAST_ONCE;
        }
    }

    abstract static class OnReferenceClusterOfVersion extends ShareProcessorContract {
        @AutoClose
        private final ReferenceClusterTarget target;

        private final Guarantee guarantee;

        OnReferenceClusterOfVersion(int shareVersion, Guarantee guarantee) {
            this.target = ReferenceClusterTarget.startWithShareVersion(shareVersion);
            this.guarantee = guarantee;
        }

        @Override
        protected KafkaTarget target() {
            return target;
        }

        @Override
        protected Guarantee guarantee() {
            return guarantee;
        }
    }
}
