package io.github.kafkatxn.contract;

import io.github.kafkatxn.apache.ApacheKafka;
import org.junit.jupiter.api.AutoClose;

/** {@link CoordinatorContract} on an Apache Kafka whose coordinator log wants more replicas than there are brokers. */
class UnavailableCoordinatorTest extends CoordinatorContract {
    @AutoClose
    private final ApacheKafka kafka = ApacheKafka.builder()
            .brokerProperty("transaction.state.log.replication.factor", "3")
            .quickStart()
            .start();

    @Override
    protected KafkaTarget target() {
        return new ApacheKafkaTarget(kafka, 2, null);
    }
}
