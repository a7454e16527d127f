package io.github.kafkatxn.cluster.fault;

import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.wire.RequestFrame;
import org.apache.kafka.common.protocol.ApiMessage;

/** One request on its way through a node. Belongs to the node's thread. */
public interface Exchange {

    /** {@return the node it came to} */
    int node();

    /** {@return the thread and time of the node} */
    EventLoop loop();

    /** {@return the decoded request} */
    RequestFrame request();

    /** {@return whether another node of the cluster sent it, not a client} */
    boolean fromPeer();

    /**
     * Answers instead of the handlers.
     *
     * @param response in the version of the request
     */
    void answer(ApiMessage response);

    /** Closes the connection. */
    void disconnect();
}
