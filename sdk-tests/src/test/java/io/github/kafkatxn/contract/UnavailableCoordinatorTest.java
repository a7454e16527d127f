package io.github.kafkatxn.contract;

import io.github.kafkatxn.apache.ApacheKafka;
import org.junit.jupiter.api.AfterAll;

/** {@link CoordinatorContract} on an Apache Kafka whose coordinator log wants more replicas than there are brokers. */
class UnavailableCoordinatorTest extends CoordinatorContract {
    private final ApacheKafkaTarget target = new ApacheKafkaTarget(
            ApacheKafka.builder()
                    .brokerProperty("transaction.state.log.replication.factor", "3")
                    .quickStart()
                    .start(),
            2,
            null);

    @Override
    protected KafkaTarget target() {
        return target;
    }

    @AfterAll
    void stop() {
        target.kafka().close();
    }
}
