package io.github.kafkatxn.cluster.internal.net;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.NodeInfo;
import io.github.kafkatxn.cluster.internal.node.Peers;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.common.protocol.ApiMessage;

/** The connections of one node to the others, made when they are needed. Belongs to the node's thread. */
final class PeerLinks implements Peers {
    private final Map<Integer, PeerLink> links = new HashMap<>();
    private final Set<Integer> cut = new TreeSet<>();
    private final int nodeId;
    private final NioLoop loop;
    private final Supplier<ClusterImage> image;
    private final PeerLink.Way way;

    PeerLinks(int nodeId, NioLoop loop, Supplier<ClusterImage> image, PeerLink.Way way) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.image = image;
        this.way = way;
    }

    @Override
    public void send(int node, ApiMessage request, VersionRange versions, Reply reply) {
        PeerLink link = cut.contains(node) ? null : links.get(node);
        if (link == null) {
            link = connect(node).orElse(null);
        }
        if (link == null) {
            // Told later, as with a real connection: a caller that tries again at once must not do so for ever.
            loop.execute(() -> reply.failed(Failure.UNREACHABLE));
        } else {
            link.send(request, versions, reply);
        }
    }

    /** Nothing goes to that node any more, and nothing that is under way comes back. */
    void cut(int node) {
        cut.add(node);
        Optional.ofNullable(links.get(node)).ifPresent(PeerLink::close);
    }

    /** Things go to that node again. */
    void join(int node) {
        cut.remove(node);
    }

    void close() {
        List.copyOf(links.values()).forEach(PeerLink::close);
    }

    private Optional<PeerLink> connect(int node) {
        Optional<NodeInfo> target = image.get().node(node).filter(NodeInfo::alive);
        if (target.isEmpty() || cut.contains(node)) {
            return Optional.empty();
        }
        try {
            PeerLink link = new PeerLink(loop, nodeId, target.get(), way, () -> links.remove(node));
            links.put(node, link);
            return Optional.of(link);
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
