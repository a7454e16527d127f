package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * Handles the requests of one API key: decodes, checks, calls the coordinator, encodes. What it lists as versions works
 * in each of them.
 *
 * @param <Q> the request
 */
public interface ApiHandler<Q extends ApiMessage> {

    /** {@return the API key} */
    short key();

    /** {@return the versions, as a broker of Apache Kafka 4.4.0 lists them} */
    VersionRange versions();

    /**
     * Handles a request. Runs on the node's thread and does not wait; the answer is given at once or later, once.
     *
     * @param call the request and the way to answer it
     */
    void handle(Call<Q> call);
}
