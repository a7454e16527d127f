package io.github.kafkatxn.contract;

import io.github.kafkatxn.apache.ApacheKafka;
import org.junit.jupiter.api.AutoClose;

/** The processor on Apache Kafka with ACLs. */
class ProcessorAuthorizationTest extends ProcessorAuthorizationContract {
    @AutoClose
    private final ApacheKafka kafka =
            ApacheKafka.builder().user("worker", "worker-secret").quickStart().start();

    @Override
    protected KafkaTarget target() {
        return new ApacheKafkaTarget(kafka, 2, "worker");
    }
}
