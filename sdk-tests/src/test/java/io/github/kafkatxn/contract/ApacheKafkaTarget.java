package io.github.kafkatxn.contract;

import io.github.kafkatxn.apache.ApacheKafka;
import java.util.Map;
import java.util.Optional;

/** A real Apache Kafka. */
record ApacheKafkaTarget(ApacheKafka kafka, int transactionVersion) implements KafkaTarget {

    static ApacheKafkaTarget shared(int transactionVersion) {
        return new ApacheKafkaTarget(ApacheKafka.shared(transactionVersion), transactionVersion);
    }

    @Override
    public Map<String, Object> clientConfig() {
        return kafka.adminConfig();
    }

    @Override
    public Optional<BrokerControl> brokers() {
        return Optional.of(new BrokerControl() {
            @Override
            public void pause() {
                kafka.brokerIds().forEach(kafka::pause);
            }

            @Override
            public void resume() {
                kafka.brokerIds().forEach(kafka::resume);
            }
        });
    }
}
