package io.github.kafkatxn.cluster.internal.node;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.protocol.ApiMessage;

/** A node's way to the nodes of its cluster, itself included: requests over their sockets, as any client's. */
public interface Peers {

    /**
     * Sends a request. The highest version in range that both nodes list goes over the wire. Called on the node's
     * thread; does not wait.
     *
     * @param node to whom
     * @param request what
     * @param versions the versions the sender can do
     * @param reply told once, on the node's thread
     */
    void send(int node, ApiMessage request, VersionRange versions, Reply reply);

    /** What comes of a request. */
    interface Reply {

        /**
         * The other node has answered.
         *
         * @param version the version that was used
         * @param response its answer
         */
        void answered(short version, ApiMessage response);

        /**
         * There will be no answer.
         *
         * @param failure why
         */
        void failed(Failure failure);
    }

    /** Why there is no answer. */
    enum Failure {
        /** Nobody takes connections there: the request was not sent. */
        UNREACHABLE,
        /** The connection was lost: it is not known whether the request was handled. */
        DISCONNECTED,
        /** There is no version in range that both nodes list: the request was not sent. */
        UNSUPPORTED
    }
}
