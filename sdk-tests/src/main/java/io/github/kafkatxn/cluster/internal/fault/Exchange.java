package io.github.kafkatxn.cluster.internal.fault;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.wire.RequestFrame;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.ApiMessage;

/** One request on its way through a node. Belongs to the node's thread. */
public interface Exchange {

    /** {@return the node it came to} */
    int node();

    /** {@return the thread and time of the node} */
    EventLoop loop();

    /** {@return what the node knows of the cluster now} */
    ClusterImage image();

    /** {@return the decoded request} */
    RequestFrame request();

    /** {@return how many bytes it had} */
    int size();

    /** {@return the node of the cluster that sent it; empty if a client did} */
    OptionalInt sender();

    /** {@return whether its connection is still there} */
    boolean isOpen();

    /**
     * Lets the handlers have a request: the one that came, or another of the same key. May be called again.
     *
     * @param request what they get, in the version of the request that came
     * @param image the cluster as they see it while they look at the request
     * @param then told once what they make of it, now or later; never if the connection is lost or the node stops
     */
    void handle(ApiMessage request, ClusterImage image, Consumer<Outcome> then);

    /**
     * Ends the exchange. Without effect if it has ended already, or its connection is closed.
     *
     * @param outcome what comes of it
     */
    void finish(Outcome outcome);
}
