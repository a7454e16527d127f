package io.github.kafkatxn.cluster.internal.net;

import io.github.kafkatxn.cluster.internal.metadata.NodeInfo;
import io.github.kafkatxn.cluster.internal.node.Peers.Failure;
import io.github.kafkatxn.cluster.internal.node.Peers.Reply;
import io.github.kafkatxn.cluster.internal.wire.Encoder;
import io.github.kafkatxn.cluster.internal.wire.FrameReader;
import io.github.kafkatxn.cluster.internal.wire.MessageFormat;
import io.github.kafkatxn.cluster.internal.wire.ResponseFrame;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to another node: asks for its versions first, then sends in order. Once lost it is done with; the next
 * request makes a new one.
 */
final class PeerLink implements NioLoop.Ready {
    /** What nodes call themselves: their requests can be told from those of clients. */
    static final String CLIENT_ID_PREFIX = "reference-cluster-node-";

    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);
    private static final short API_VERSIONS_VERSION = 3;
    private static final short SASL_VERSION = 1;

    private final Deque<InFlight> inFlight = new ArrayDeque<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private final Map<Short, VersionRange> versions = new HashMap<>();
    private final String clientId;
    private final Optional<PeerLogin> login;
    private final Runnable onClosed;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final FrameReader reader;
    private final FrameWriter writer;
    private boolean ready;
    private boolean closed;
    private int correlationIds;

    private record InFlight(MessageFormat format, short version, int correlationId, Reply reply) {}

    private record Waiting(ApiMessage request, VersionRange versions, Reply reply) {}

    PeerLink(NioLoop loop, int from, NodeInfo to, int frameLimit, Optional<PeerLogin> login, Runnable onClosed)
            throws IOException {
        this.clientId = CLIENT_ID_PREFIX + from;
        this.login = login;
        this.onClosed = onClosed;
        this.channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        boolean connected = channel.connect(new InetSocketAddress(to.host(), to.port()));
        this.key = channel.register(loop.selector(), SelectionKey.OP_CONNECT, this);
        this.reader = new FrameReader(frameLimit);
        this.writer = new FrameWriter(channel, key);
        if (connected) {
            handshake();
        }
    }

    void send(ApiMessage request, VersionRange wanted, Reply reply) {
        if (closed) {
            reply.failed(Failure.UNREACHABLE);
        } else if (ready) {
            negotiate(request, wanted, reply);
        } else {
            waiting.add(new Waiting(request, wanted, reply));
        }
    }

    @Override
    public void onReady(SelectionKey selected) {
        try {
            if (selected.isValid() && selected.isConnectable() && channel.finishConnect()) {
                handshake();
            }
            if (selected.isValid() && selected.isWritable()) {
                writer.flush();
            }
            if (selected.isValid() && selected.isReadable()) {
                read();
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("{} has lost its connection to another node", clientId, e);
            close();
        }
    }

    /** Closes it; whoever waits for an answer is told. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("{} could not close a connection", clientId, e);
        }
        onClosed.run();
        List.copyOf(inFlight).forEach(request -> request.reply().failed(Failure.DISCONNECTED));
        waiting.forEach(request -> request.reply().failed(Failure.UNREACHABLE));
        inFlight.clear();
        waiting.clear();
    }

    private void handshake() throws IOException {
        key.interestOps(SelectionKey.OP_READ);
        ApiVersionsRequestData request = new ApiVersionsRequestData()
                .setClientSoftwareName("kafka-txn-reference-cluster")
                .setClientSoftwareVersion("1");
        write(request, API_VERSIONS_VERSION, then(response -> learn((ApiVersionsResponseData) response)));
    }

    private void learn(ApiVersionsResponseData response) {
        response.apiKeys()
                .forEach(api -> versions.put(api.apiKey(), new VersionRange(api.minVersion(), api.maxVersion())));
        login.ifPresentOrElse(this::logIn, this::begin);
    }

    private void logIn(PeerLogin as) {
        writeOrClose(new SaslHandshakeRequestData().setMechanism("PLAIN"), SASL_VERSION, then(handshake -> {
            SaslAuthenticateRequestData token = new SaslAuthenticateRequestData().setAuthBytes(as.token());
            writeOrClose(token, SASL_VERSION, then(authenticated -> begin()));
        }));
    }

    private void begin() {
        ready = true;
        waiting.forEach(request -> negotiate(request.request(), request.versions(), request.reply()));
        waiting.clear();
    }

    private Reply then(Consumer<ApiMessage> next) {
        return new Reply() {
            @Override
            public void answered(short version, ApiMessage response) {
                next.accept(response);
            }

            @Override
            public void failed(Failure failure) {
                LOG.debug("{}: lost before it was ready, {}", clientId, failure);
            }
        };
    }

    private void negotiate(ApiMessage request, VersionRange wanted, Reply reply) {
        VersionRange theirs = versions.get(request.apiKey());
        if (theirs == null || theirs.max() < wanted.min() || theirs.min() > wanted.max()) {
            reply.failed(Failure.UNSUPPORTED);
            return;
        }
        writeOrClose(request, (short) Math.min(theirs.max(), wanted.max()), reply);
    }

    private void writeOrClose(ApiMessage request, short version, Reply reply) {
        try {
            write(request, version, reply);
        } catch (IOException e) {
            LOG.debug("{} has lost its connection to another node", clientId, e);
            close();
        }
    }

    private void write(ApiMessage request, short version, Reply reply) throws IOException {
        MessageFormat format = MessageFormat.of(request.apiKey()).orElseThrow();
        int correlationId = correlationIds++;
        inFlight.add(new InFlight(format, version, correlationId, reply));
        writer.write(Encoder.request(format, version, correlationId, clientId, request));
    }

    private void read() throws IOException {
        while (!closed) {
            switch (reader.read(channel)) {
                case WAITING -> {
                    return;
                }
                case CLOSED -> close();
                case COMPLETE -> complete(reader.take());
            }
        }
    }

    private void complete(ByteBuffer frame) {
        InFlight request = inFlight.remove();
        ResponseFrame response = ResponseFrame.decode(frame, request.format(), request.version());
        if (response.correlationId() != request.correlationId()) {
            throw new IllegalStateException("an answer to " + response.correlationId() + " where one to "
                    + request.correlationId() + " was due");
        }
        request.reply().answered(request.version(), response.body());
    }
}
