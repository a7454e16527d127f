package io.github.kafkatxn.cluster.fault;

import java.util.function.Consumer;
import org.apache.kafka.common.protocol.ApiMessage;

/**
 * Stands between the socket of a node and its handlers: sees every request before it is handled and every answer before
 * it is sent, and may keep, change or drop them. Runs on the node's thread and does not wait.
 */
public interface Interceptor {

    /** Lets everything pass. */
    Interceptor NONE = new Interceptor() {
        @Override
        public void onRequest(Exchange exchange, Runnable handle) {
            handle.run();
        }

        @Override
        public void onAnswer(Exchange exchange, ApiMessage answer, Consumer<ApiMessage> send) {
            send.accept(answer);
        }
    };

    /**
     * A request has come.
     *
     * @param exchange the request and its connection
     * @param handle lets the handlers have it; now, later (on the node's thread) or never
     */
    void onRequest(Exchange exchange, Runnable handle);

    /**
     * A request has been handled.
     *
     * @param exchange the request and its connection
     * @param answer what the handler says
     * @param send sends an answer, this or another; now, later (on the node's thread) or never
     */
    void onAnswer(Exchange exchange, ApiMessage answer, Consumer<ApiMessage> send);
}
