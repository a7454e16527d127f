package io.github.kafkatxn.cluster.internal.net;

import io.github.kafkatxn.cluster.fault.Interceptor;
import io.github.kafkatxn.cluster.internal.api.ApiRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the connections of one node. Belongs to the node's thread, but for {@link #open(int)}. */
final class NodeServer implements NioLoop.Ready {
    private static final Logger LOG = LoggerFactory.getLogger(NodeServer.class);
    private static final int BACKLOG = 256;

    private final Set<ServerConnection> connections = new LinkedHashSet<>();
    private final int nodeId;
    private final NioLoop loop;
    private final ApiRegistry registry;
    private final Interceptor interceptor;
    private final int frameLimit;
    private final boolean requiresLogin;
    private final ServerSocketChannel acceptor;
    private long connectionIds;

    NodeServer(
            int nodeId,
            NioLoop loop,
            ApiRegistry registry,
            Interceptor interceptor,
            int frameLimit,
            boolean requiresLogin) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.registry = registry;
        this.interceptor = interceptor;
        this.frameLimit = frameLimit;
        this.requiresLogin = requiresLogin;
        try {
            this.acceptor = ServerSocketChannel.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Listens on the loopback address. Connections wait in the backlog until the loop runs.
     *
     * @param port where, 0 for any
     * @return where it listens
     */
    int open(int port) {
        try {
            acceptor.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            acceptor.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
            acceptor.configureBlocking(false);
            acceptor.register(loop.selector(), SelectionKey.OP_ACCEPT, this);
            return ((InetSocketAddress) acceptor.getLocalAddress()).getPort();
        } catch (IOException e) {
            throw new UncheckedIOException("node " + nodeId + " cannot listen on port " + port, e);
        }
    }

    @Override
    public void onReady(SelectionKey key) {
        try {
            for (SocketChannel channel = acceptor.accept(); channel != null; channel = acceptor.accept()) {
                channel.configureBlocking(false);
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                connections.add(new ServerConnection(this, connectionIds++, channel, frameLimit));
            }
        } catch (IOException e) {
            LOG.warn("node {} could not take a connection", nodeId, e);
        }
    }

    /** Closes the listening socket and every connection. */
    void close() {
        try {
            acceptor.close();
        } catch (IOException e) {
            LOG.warn("node {} could not close its socket", nodeId, e);
        }
        List.copyOf(connections).forEach(ServerConnection::close);
    }

    void closed(ServerConnection connection) {
        connections.remove(connection);
    }

    int nodeId() {
        return nodeId;
    }

    boolean requiresLogin() {
        return requiresLogin;
    }

    NioLoop loop() {
        return loop;
    }

    ApiRegistry registry() {
        return registry;
    }

    Interceptor interceptor() {
        return interceptor;
    }
}
