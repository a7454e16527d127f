package io.github.kafkatxn.cluster.internal.api;

import org.apache.kafka.common.protocol.ApiMessage;

/**
 * A request to be answered. Belongs to the node's thread. One of the ways to answer is used, once; until then, the next
 * request of the same connection waits.
 *
 * @param <Q> the request
 */
public interface Call<Q extends ApiMessage> {

    /** {@return the request} */
    Q request();

    /** {@return its version} */
    short version();

    /** {@return what the client calls itself, may be empty} */
    String clientId();

    /** {@return who asks, such as {@code User:ANONYMOUS}} */
    String principal();

    /** {@return the connection it came over} */
    ClientConnection connection();

    /**
     * Answers. Without effect if the connection has been closed meanwhile.
     *
     * @param response the answer, in the version of the request
     */
    void answer(ApiMessage response);

    /** There is no answer to this request, and the connection goes on: a produce request with acks=0. */
    void noAnswer();

    /** Closes the connection without an answer, as a broker does with requests it cannot answer. */
    void disconnect();
}
