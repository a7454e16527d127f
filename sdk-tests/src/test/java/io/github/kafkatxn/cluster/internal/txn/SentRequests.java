package io.github.kafkatxn.cluster.internal.txn;

import io.github.kafkatxn.cluster.internal.node.Peers;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayDeque;
import java.util.Queue;
import org.apache.kafka.common.protocol.ApiMessage;

/** A network where a test decides what comes of each request. */
final class SentRequests implements Peers {
    private final Queue<Sent> sent = new ArrayDeque<>();

    /** A request that nobody has answered yet. */
    record Sent(int node, ApiMessage request, Reply reply) {}

    @Override
    public void send(int node, ApiMessage request, VersionRange versions, Reply reply) {
        sent.add(new Sent(node, request, reply));
    }

    boolean isEmpty() {
        return sent.isEmpty();
    }

    /** The oldest one. */
    Sent take() {
        return sent.remove();
    }
}
