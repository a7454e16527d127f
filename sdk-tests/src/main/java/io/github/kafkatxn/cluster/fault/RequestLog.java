package io.github.kafkatxn.cluster.fault;

import java.util.List;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * The requests that came to the nodes of a cluster, from clients and from nodes, decoded, with their answers.
 *
 * <p>It has bounds: the newest 10,000 requests, and of those as many as came in 32 MiB; older ones are forgotten.
 * Requests that cannot be decoded, or that their node does not list, are not in it. Thread-safe.
 */
public interface RequestLog {

    /**
     * Asks for requests of an API key.
     *
     * @param key the API key
     * @return the question
     */
    RequestQuery on(ApiKeys key);

    /**
     * Asks for requests of an API key that kafka-clients has no name for.
     *
     * @param key the API key, one that the cluster knows
     * @return the question
     */
    RequestQuery on(int key);

    /**
     * Asks for requests of any API key. Selectors pass over the keys they cannot apply to.
     *
     * @return the question
     */
    RequestQuery onAny();

    /** {@return all requests in the log, in the order they came} */
    List<LoggedRequest> list();

    /** {@return how many requests were forgotten because of the bounds} */
    long forgotten();

    /** Forgets all requests so far. */
    void clear();
}
