package io.github.kafkatxn.contract;

import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.protocol.ApiKeys;

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

    /** A way to the brokers on which answers can be kept back. */
    interface Line {

        /** {@return configuration of a client that uses it} */
        Map<String, Object> clientConfig();

        /**
         * From now on the answers to a client's requests of one kind stay on the way: brokers have done what was asked.
         *
         * @param api the kind
         * @param clientId the client's {@code client.id}
         * @return the answers
         */
        KeptAnswers keepAnswers(ApiKeys api, String clientId);
    }

    /** Answers on the way. */
    interface KeptAnswers extends AutoCloseable {

        /** Waits for the first one, for some seconds; an {@link AssertionError} tells if there is none. */
        void await();

        /** They arrive, and none is kept back any more. */
        @Override
        void close();
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

    /** {@return a way to the brokers on which answers can be kept back} */
    default Optional<Line> line() {
        return Optional.empty();
    }

    /** {@return the principal of {@link #clientConfig()}, if ACLs decide what it may do; it starts with no right} */
    default Optional<String> principal() {
        return Optional.empty();
    }

    /**
     * {@return whether a member of the consumer protocol whose epoch is behind may still commit what it has kept:
     * brokers since 4.3 let it (KIP-1251)}
     */
    default boolean knowsAssignmentEpochs() {
        return true;
    }
}
