package io.github.kafkatxn.cluster.internal.fault;

/**
 * Stands between the socket of a node and its handlers: sees every request before it is handled, lets the handlers have
 * it or not, and ends the exchange. Runs on the threads of all nodes and does not wait.
 */
@FunctionalInterface
public interface Interceptor {

    /** Lets everything pass. */
    Interceptor NONE = exchange -> exchange.handle(exchange.request().body(), exchange.image(), exchange::finish);

    /**
     * A request has come.
     *
     * @param exchange the request and its connection
     */
    void onRequest(Exchange exchange);
}
