package io.github.kafkatxn.cluster.internal.net;

import io.github.kafkatxn.cluster.internal.api.ApiRegistry;
import io.github.kafkatxn.cluster.internal.api.ClientConnection;
import io.github.kafkatxn.cluster.internal.api.Handlers;
import io.github.kafkatxn.cluster.internal.wire.Encoder;
import io.github.kafkatxn.cluster.internal.wire.FrameReader;
import io.github.kafkatxn.cluster.internal.wire.MalformedRequestException;
import io.github.kafkatxn.cluster.internal.wire.MessageFormat;
import io.github.kafkatxn.cluster.internal.wire.RequestFrame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.message.ApiMessageType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a client, or of another node. One request is in progress at a time: the next is read once the answer
 * has left, so answers keep the order of the requests, and who does not read answers gets no more of them.
 *
 * <p>Whatever goes wrong on a connection ends this connection, and nothing else.
 */
final class ServerConnection implements ClientConnection, NioLoop.Ready {
    private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);
    /** After so many requests, the other connections have their turn. */
    private static final int REQUESTS_A_TURN = 16;

    private static final Set<Short> BEFORE_LOGIN = Set.of(
            ApiMessageType.API_VERSIONS.apiKey(),
            ApiMessageType.SASL_HANDSHAKE.apiKey(),
            ApiMessageType.SASL_AUTHENTICATE.apiKey());

    private final List<Runnable> onClose = new ArrayList<>();
    private final NodeServer server;
    private final long id;
    private final String clientHost;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final FrameReader reader;
    private final FrameWriter writer;
    private String principal = "User:ANONYMOUS";
    private boolean authenticated;
    private boolean closed;
    private boolean busy;
    private boolean silent;

    ServerConnection(NodeServer server, long id, SocketChannel channel, int frameLimit) throws IOException {
        this.server = server;
        this.id = id;
        this.channel = channel;
        this.authenticated = !server.requiresLogin();
        this.clientHost = channel.socket().getInetAddress().toString();
        this.key = channel.register(server.loop().selector(), SelectionKey.OP_READ, this);
        this.reader = new FrameReader(frameLimit);
        this.writer = new FrameWriter(channel, key);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public String clientHost() {
        return clientHost;
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public void onClose(Runnable listener) {
        if (closed) {
            listener.run();
        } else {
            onClose.add(listener);
        }
    }

    @Override
    public boolean isAuthenticated() {
        return authenticated;
    }

    @Override
    public void authenticated(String name) {
        principal = name;
        authenticated = true;
    }

    String principal() {
        return principal;
    }

    @Override
    public void onReady(SelectionKey ready) {
        try {
            if (ready.isValid() && ready.isWritable()) {
                writer.flush();
                listen();
            }
            if (ready.isValid() && ready.isReadable()) {
                read();
            }
        } catch (MalformedRequestException e) {
            LOG.warn("node {} closes the connection from {}: {}", server.nodeId(), clientHost, e.getMessage());
            close();
        } catch (IOException e) {
            LOG.debug("connection from {} lost", clientHost, e);
            close();
        } catch (RuntimeException | Error e) {
            // Not even for want of memory: the node lives on, and so do all other connections.
            LOG.error("node {} closes the connection from {}", server.nodeId(), clientHost, e);
            close();
        }
    }

    void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("connection from {} could not be closed", clientHost, e);
        }
        server.closed(this);
        onClose.forEach(NioLoop::guarded);
        onClose.clear();
    }

    /** The request in progress is answered; with nothing if there is no way to say it, and that ends the connection. */
    void answered(@Nullable ByteBuffer frame) {
        if (frame == null) {
            close();
        } else {
            write(frame);
            next();
        }
    }

    void next() {
        busy = false;
        listen();
    }

    /** Nothing is answered any more; what comes is read and forgotten, so that the end of the other side is noticed. */
    void fallSilent() {
        silent = true;
        next();
    }

    private void read() throws IOException {
        for (int left = REQUESTS_A_TURN; left > 0 && isListening(); left--) {
            switch (reader.read(channel)) {
                case WAITING -> {
                    return;
                }
                case CLOSED -> close();
                case COMPLETE -> take(reader.take());
            }
        }
        listen();
    }

    private boolean isListening() {
        return !closed && !busy && writer.isEmpty();
    }

    /** While a request is in progress nothing is read, so that a client that floods fills its own socket. */
    private void listen() {
        if (closed) {
            return;
        }
        if (isListening()) {
            key.interestOpsOr(SelectionKey.OP_READ);
        } else {
            key.interestOpsAnd(~SelectionKey.OP_READ);
        }
    }

    private void take(ByteBuffer frame) {
        if (silent) {
            return;
        }
        RequestFrame.Start start = RequestFrame.peek(frame);
        if (!authenticated && !BEFORE_LOGIN.contains(start.key())) {
            throw new MalformedRequestException("API key " + start.key() + " before anybody has logged in");
        }
        Optional<ApiRegistry.Entry> entry = server.registry().find(start.key());
        if (entry.isEmpty() || !entry.get().versions().contains(start.version())) {
            refuse(start);
            return;
        }
        busy = true;
        int size = frame.remaining();
        RequestFrame request = RequestFrame.decode(frame);
        server.interceptor().onRequest(new InProgress(this, server, request, size, entry.get()));
    }

    private void refuse(RequestFrame.Start start) {
        if (start.key() != ApiMessageType.API_VERSIONS.apiKey()) {
            throw new MalformedRequestException(
                    "API key " + start.key() + " version " + start.version() + " is not supported here");
        }
        MessageFormat format = MessageFormat.of(start.key()).orElseThrow();
        write(Encoder.response(
                format, (short) 0, start.correlationId(), Handlers.unsupportedVersion(server.registry())));
    }

    private void write(ByteBuffer frame) {
        if (closed) {
            return;
        }
        try {
            writer.write(frame);
        } catch (IOException e) {
            LOG.debug("connection from {} lost", clientHost, e);
            close();
        }
    }
}
