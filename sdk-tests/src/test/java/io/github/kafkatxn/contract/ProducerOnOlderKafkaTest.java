package io.github.kafkatxn.contract;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The producer's contracts on older releases of Apache Kafka: offsets by name and by the client's own call. */
class ProducerOnOlderKafkaTest {

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class On41 extends ProducerContracts {
        @AutoClose
        private final ApacheKafkaTarget target = OlderKafka.start("4.1.2", 2);

        @Override
        protected KafkaTarget target() {
            return target;
        }
    }

    @Nested
    @TestInstance(Lifecycle.PER_CLASS)
    class On39 extends ProducerContracts {
        @AutoClose
        private final ApacheKafkaTarget target = OlderKafka.start("3.9.2", 0);

        @Override
        protected KafkaTarget target() {
            return target;
        }
    }
}
