package io.github.kafkatxn.cluster.internal.api;

import java.util.function.Consumer;
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

    /**
     * Whatever goes on with the request after its handler has returned: on a timer, with the answer of another node.
     *
     * @param next does not wait; if it throws, that is said loudly and the connection is closed, so that nobody waits
     *     for an answer that does not come
     * @return the same, guarded
     */
    Runnable guarded(Runnable next);

    /**
     * The same, with a result.
     *
     * @param next gets the result
     * @param <T> the result
     * @return the same, guarded
     */
    default <T> Consumer<T> guarded(Consumer<T> next) {
        return result -> guarded(() -> next.accept(result)).run();
    }
}
