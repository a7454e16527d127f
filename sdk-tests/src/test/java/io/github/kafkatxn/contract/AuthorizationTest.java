package io.github.kafkatxn.contract;

import io.github.kafkatxn.apache.ApacheKafka;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;

/** {@link AuthorizationContract} on Apache Kafka with its own authorizer. */
class AuthorizationTest {

    private static final String USER = "alice";

    @Nested
    class OnTransactionVersion1 extends AuthorizationContract {
        @AutoClose
        private final ApacheKafka kafka = start(1);

        @Override
        protected KafkaTarget target() {
            return new ApacheKafkaTarget(kafka, 1, USER);
        }
    }

    @Nested
    class OnTransactionVersion2 extends AuthorizationContract {
        @AutoClose
        private final ApacheKafka kafka = start(2);

        @Override
        protected KafkaTarget target() {
            return new ApacheKafkaTarget(kafka, 2, USER);
        }
    }

    private static ApacheKafka start(int transactionVersion) {
        return ApacheKafka.builder()
                .transactionVersion(transactionVersion)
                .user(USER, "alice-secret")
                .quickStart()
                .start();
    }
}
