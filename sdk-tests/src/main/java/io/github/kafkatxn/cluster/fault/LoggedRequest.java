package io.github.kafkatxn.cluster.fault;

import java.util.Optional;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;

/** A request in the log, and what came of it so far. Thread-safe; its messages must not be changed. */
public interface LoggedRequest {

    /** {@return its place in the order in which all nodes got requests, from 1} */
    long number();

    /** {@return the node it came to} */
    int node();

    /** {@return the API key} */
    short apiKey();

    /** {@return Kafka's name of the API key, such as {@code EndTxn}} */
    String api();

    /** {@return its version} */
    short version();

    /** {@return what the sender calls itself, may be empty} */
    String clientId();

    /** {@return the id of the node that sent it; empty if a client did} */
    Optional<Integer> sender();

    /** {@return the decoded request} */
    ApiMessage request();

    /** {@return the answer as it was sent; empty while, or if, there is none} */
    Optional<ApiMessage> answer();

    /** {@return the rule of the fault plan that met it, as a text; empty if none did} */
    Optional<String> fault();

    /**
     * Whether it is of an API key.
     *
     * @param key the API key
     * @return whether it is
     */
    default boolean is(ApiKeys key) {
        return apiKey() == key.id;
    }
}
