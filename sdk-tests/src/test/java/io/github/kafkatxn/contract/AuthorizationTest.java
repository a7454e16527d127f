package io.github.kafkatxn.contract;

import io.github.kafkatxn.apache.ApacheKafka;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/** {@link AuthorizationContract} on Apache Kafka with its own authorizer. */
class AuthorizationTest {

    @Nested
    class OnTransactionVersion1 extends OnApacheKafka {
        OnTransactionVersion1() {
            super(1);
        }
    }

    @Nested
    class OnTransactionVersion2 extends OnApacheKafka {
        OnTransactionVersion2() {
            super(2);
        }
    }

    abstract static class OnApacheKafka extends AuthorizationContract {
        private final ApacheKafkaTarget target;

        OnApacheKafka(int transactionVersion) {
            ApacheKafka kafka = ApacheKafka.builder()
                    .transactionVersion(transactionVersion)
                    .user("alice", "alice-secret")
                    .quickStart()
                    .start();
            target = new ApacheKafkaTarget(kafka, transactionVersion, "alice");
        }

        @Override
        protected KafkaTarget target() {
            return target;
        }

        @AfterAll
        void stop() {
            target.kafka().close();
        }
    }
}
