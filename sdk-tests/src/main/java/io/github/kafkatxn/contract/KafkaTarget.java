package io.github.kafkatxn.contract;

import java.util.Map;
import java.util.Optional;

/**
 * A running Kafka that contract tests use. They make topics, groups and transactional ids of their own, and need
 * nothing but that: what they find there already, they leave alone.
 *
 * <p>What a target cannot do it leaves empty; tests that need it are skipped with that as the reason.
 */
public interface KafkaTarget {

    /** Makes the brokers stand still and go on. */
    interface BrokerControl {

        /** No broker answers any more; connections stay open. Returns once that is so. */
        void pause();

        /** The brokers go on where they stopped. */
        void resume();
    }

    /** {@return configuration of an ordinary client: bootstrap servers and, where needed, a login} */
    Map<String, Object> clientConfig();

    /** {@return configuration of a client that may do everything} */
    default Map<String, Object> adminConfig() {
        return clientConfig();
    }

    /** {@return the finalized level of the feature {@code transaction.version}} */
    int transactionVersion();

    /** {@return control over all brokers; nobody else may use them meanwhile} */
    default Optional<BrokerControl> brokers() {
        return Optional.empty();
    }

    /**
     * From now on the brokers take their time with the answers to a client, at least with those to its commits.
     *
     * @param clientId the client's {@code client.id}
     * @return ends it
     */
    default Runnable slowAnswers(String clientId) {
        return SlowAnswers.byQuota(adminConfig(), clientId);
    }

    /** {@return the principal of {@link #clientConfig()}, if ACLs decide what it may do; it starts with no right} */
    default Optional<String> principal() {
        return Optional.empty();
    }
}
