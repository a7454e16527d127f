package io.github.kafkatxn.contract;

import io.github.kafkatxn.apache.ApacheKafka;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;

/** The processor on Apache Kafka with ACLs. */
class ProcessorAuthorizationTest extends ProcessorAuthorizationContract {
    private final ApacheKafka kafka =
            ApacheKafka.builder().user("worker", "worker-secret").quickStart().start();

    @AfterAll
    void closeKafka() {
        kafka.close();
    }

    @Override
    protected KafkaTarget target() {
        return new KafkaTarget() {
            @Override
            public Map<String, Object> clientConfig() {
                return kafka.clientConfig("worker");
            }

            @Override
            public Map<String, Object> adminConfig() {
                return kafka.adminConfig();
            }

            @Override
            public int transactionVersion() {
                return 2;
            }

            @Override
            public Optional<String> principal() {
                return Optional.of("User:worker");
            }
        };
    }
}
