package io.github.kafkatxn.contract;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The producer's contracts on older releases of Apache Kafka: offsets by name and by the client's own call. */
class ProducerOnOlderKafkaTest {

    @Nested
    class On41 extends OnOlder {
        On41() {
            super("4.1.2", 2);
        }
    }

    @Nested
    class On39 extends OnOlder {
        On39() {
            super("3.9.2", 0);
        }
    }

    @TestInstance(Lifecycle.PER_CLASS)
    abstract static class OnOlder extends ProducerContracts {
        private final String version;
        private final int transactionVersion;
        private @Nullable ApacheKafkaTarget target;

        OnOlder(String version, int transactionVersion) {
            this.version = version;
            this.transactionVersion = transactionVersion;
        }

        @BeforeAll
        void start() {
            target = OlderKafka.start(version, transactionVersion);
        }

        @AfterAll
        void stop() {
            if (target != null) {
                target.kafka().close();
            }
        }

        @Override
        protected KafkaTarget target() {
            if (target == null) {
                throw new IllegalStateException("the broker has not been started");
            }
            return target;
        }
    }
}
