package io.github.kafkatxn.cluster.internal.net;

import io.github.kafkatxn.cluster.fault.Exchange;
import io.github.kafkatxn.cluster.internal.api.ApiRegistry;
import io.github.kafkatxn.cluster.internal.api.Call;
import io.github.kafkatxn.cluster.internal.api.ClientConnection;
import io.github.kafkatxn.cluster.internal.api.Handlers;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
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
import org.apache.kafka.common.protocol.ApiMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection of a client, or of another node. One request is in progress at a time: the next is read once it is
 * answered, so answers keep the order of the requests.
 */
final class ServerConnection implements ClientConnection, NioLoop.Ready {
    private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);

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

    @Override
    public void onReady(SelectionKey ready) {
        try {
            if (ready.isValid() && ready.isWritable()) {
                writer.flush();
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
        onClose.forEach(Runnable::run);
        onClose.clear();
    }

    /** While a request is in progress nothing is read, so that a client that floods fills its own socket. */
    private void read() throws IOException {
        while (!busy && !closed) {
            switch (reader.read(channel)) {
                case WAITING -> {
                    return;
                }
                case CLOSED -> close();
                case COMPLETE -> take(reader.take());
            }
        }
        if (!closed && busy) {
            key.interestOpsAnd(~SelectionKey.OP_READ);
        }
    }

    private void take(ByteBuffer frame) {
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
        RequestFrame request = RequestFrame.decode(frame);
        InProgress exchange = new InProgress(request, entry.get());
        server.interceptor().onRequest(exchange, exchange::handle);
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

    private void next() {
        busy = false;
        if (!closed) {
            key.interestOpsOr(SelectionKey.OP_READ);
        }
    }

    /** The request in progress, as the fault plan sees it. */
    private final class InProgress implements Exchange {
        private final RequestFrame frame;
        private final ApiRegistry.Entry entry;
        private boolean done;

        InProgress(RequestFrame frame, ApiRegistry.Entry entry) {
            this.frame = frame;
            this.entry = entry;
        }

        @Override
        public int node() {
            return server.nodeId();
        }

        @Override
        public EventLoop loop() {
            return server.loop();
        }

        @Override
        public RequestFrame request() {
            return frame;
        }

        @Override
        public boolean fromPeer() {
            return frame.clientId().startsWith(PeerLink.CLIENT_ID_PREFIX);
        }

        @Override
        public void answer(ApiMessage response) {
            if (!finish()) {
                return;
            }
            write(Encoder.response(frame.format(), frame.version(), frame.correlationId(), response));
            next();
        }

        @Override
        public void disconnect() {
            finish();
            close();
        }

        void noAnswer() {
            if (finish()) {
                next();
            }
        }

        void handle() {
            if (closed || done) {
                return;
            }
            try {
                ApiRegistry.dispatch(entry, new HandlerCall(this));
            } catch (RuntimeException e) {
                LOG.error("node {} failed on {}", server.nodeId(), frame, e);
                disconnect();
            }
        }

        private boolean finish() {
            boolean first = !done;
            done = true;
            return first;
        }
    }

    /** The request in progress, as its handler sees it: its answer passes the fault plan. */
    private final class HandlerCall implements Call<ApiMessage> {
        private final InProgress progress;

        HandlerCall(InProgress progress) {
            this.progress = progress;
        }

        @Override
        public ApiMessage request() {
            return progress.frame.body();
        }

        @Override
        public short version() {
            return progress.frame.version();
        }

        @Override
        public String clientId() {
            return progress.frame.clientId();
        }

        @Override
        public String principal() {
            return principal;
        }

        @Override
        public ClientConnection connection() {
            return ServerConnection.this;
        }

        @Override
        public void answer(ApiMessage response) {
            if (!progress.done) {
                server.interceptor().onAnswer(progress, response, progress::answer);
            }
        }

        @Override
        public void noAnswer() {
            progress.noAnswer();
        }

        @Override
        public void disconnect() {
            progress.disconnect();
        }
    }
}
