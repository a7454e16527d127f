package io.github.kafkatxn.contract;

import io.github.kafkatxn.apache.ApacheKafka;
import io.github.kafkatxn.apache.HeldAnswers;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/** A real Apache Kafka. */
record ApacheKafkaTarget(
        ApacheKafka kafka, int transactionVersion, @Nullable String user, boolean knowsAssignmentEpochs)
        implements KafkaTarget, AutoCloseable {

    ApacheKafkaTarget(ApacheKafka kafka, int transactionVersion, @Nullable String user) {
        this(kafka, transactionVersion, user, true);
    }

    static ApacheKafkaTarget shared(int transactionVersion) {
        return new ApacheKafkaTarget(ApacheKafka.shared(transactionVersion), transactionVersion, null);
    }

    @Override
    public Map<String, Object> clientConfig() {
        return user == null ? kafka.adminConfig() : kafka.clientConfig(user);
    }

    @Override
    public Map<String, Object> adminConfig() {
        return kafka.adminConfig();
    }

    @Override
    public Optional<String> principal() {
        return user == null ? Optional.empty() : Optional.of("User:" + user);
    }

    @Override
    public Optional<Line> line() {
        return Optional.of(new Line() {
            @Override
            public Map<String, Object> clientConfig() {
                return kafka.relayedConfig();
            }

            @Override
            public KeptAnswers keepAnswers(ApiKeys api, String clientId) {
                HeldAnswers held = kafka.relay().holdAnswers(api, clientId);
                return new KeptAnswers() {
                    @Override
                    public void await() {
                        held.await();
                    }

                    @Override
                    public void close() {
                        held.close();
                    }
                };
            }
        });
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

    /** Not that of others: only who has started it may. */
    @Override
    public void close() {
        kafka.close();
    }
}
