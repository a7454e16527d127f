package io.github.kafkatxn.cluster.internal.net;

import io.github.kafkatxn.cluster.internal.metadata.NodeInfo;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.node.EventLoop.Timer;
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
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to another node: asks for its versions first, then sends in order. Once lost it is done with; the next
 * request makes a new one. So it is with one that is silent: a request that nobody answers in time costs the
 * connection.
 */
final class PeerLink implements NioLoop.Ready {
    /** What nodes call themselves: their requests can be told from those of clients. */
    private static final String CLIENT_ID_PREFIX = "reference-cluster-node-";

    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);
    private static final short API_VERSIONS_VERSION = 3;
    private static final short SASL_VERSION = 1;

    private final Deque<InFlight> inFlight = new ArrayDeque<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private final Map<Short, VersionRange> versions = new HashMap<>();
    private final NioLoop loop;
    private final String clientId;
    private final Way way;
    private final Runnable onClosed;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final FrameReader reader;
    private final FrameWriter writer;
    private @Nullable Timer silence;
    private boolean ready;
    private boolean closed;
    private int correlationIds;

    /**
     * How nodes talk to each other.
     *
     * @param frameLimit the longest frame that is read, in bytes
     * @param requestTimeoutMs how long an answer may take
     * @param login how they log in, if they have to
     * @param caps the highest version of keys that the sender is to look older in, by key
     */
    record Way(int frameLimit, long requestTimeoutMs, Optional<PeerLogin> login, Map<Short, Short> caps) {
        static Way of(NodeSettings settings, Map<Short, Short> caps) {
            return new Way(
                    Math.toIntExact(settings.number("socket.request.max.bytes")),
                    settings.number("request.timeout.ms"),
                    PeerLogin.of(settings),
                    caps);
        }

        /** The highest version of a request that both sides know; may be one that the sender does not want. */
        int highest(short key, VersionRange wanted, VersionRange theirs) {
            int own = caps.getOrDefault(key, wanted.max());
            return Math.min(own, Math.min(theirs.max(), wanted.max()));
        }
    }

    private record InFlight(MessageFormat format, short version, int correlationId, long sentNanos, Reply reply) {}

    private record Waiting(ApiMessage request, VersionRange versions, Reply reply) {}

    PeerLink(NioLoop loop, int from, NodeInfo to, Way way, Runnable onClosed) throws IOException {
        this.loop = loop;
        this.clientId = CLIENT_ID_PREFIX + from;
        this.way = way;
        this.onClosed = onClosed;
        this.channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        boolean connected = channel.connect(new InetSocketAddress(to.host(), to.port()));
        this.key = channel.register(loop.selector(), SelectionKey.OP_CONNECT, this);
        this.reader = new FrameReader(way.frameLimit());
        this.writer = new FrameWriter(channel, key);
        if (connected) {
            handshake();
        }
    }

    /** {@return the node that calls itself so; empty if it is a client} */
    static OptionalInt sender(String clientId) {
        if (!clientId.startsWith(CLIENT_ID_PREFIX)) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(Integer.parseInt(clientId.substring(CLIENT_ID_PREFIX.length())));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
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
        if (silence != null) {
            silence.cancel();
        }
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("{} could not close a connection", clientId, e);
        }
        onClosed.run();
        List<Reply> sent = inFlight.stream().map(InFlight::reply).toList();
        List<Reply> unsent = waiting.stream().map(Waiting::reply).toList();
        inFlight.clear();
        waiting.clear();
        sent.forEach(reply -> NioLoop.guarded(() -> reply.failed(Failure.DISCONNECTED)));
        unsent.forEach(reply -> NioLoop.guarded(() -> reply.failed(Failure.UNREACHABLE)));
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
        way.login().ifPresentOrElse(this::logIn, this::begin);
    }

    private void logIn(PeerLogin as) {
        writeOrClose(new SaslHandshakeRequestData().setMechanism("PLAIN"), SASL_VERSION, then(handshake -> {
            SaslAuthenticateRequestData token = new SaslAuthenticateRequestData().setAuthBytes(as.token());
            writeOrClose(token, SASL_VERSION, then(authenticated -> begin()));
        }));
    }

    private void begin() {
        ready = true;
        List<Waiting> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(request -> send(request.request(), request.versions(), request.reply()));
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
        int version = theirs == null ? -1 : way.highest(request.apiKey(), wanted, theirs);
        if (theirs == null || version < wanted.min() || version < theirs.min()) {
            reply.failed(Failure.UNSUPPORTED);
            return;
        }
        writeOrClose(request, (short) version, reply);
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
        inFlight.add(new InFlight(format, version, correlationId, System.nanoTime(), reply));
        if (silence == null) {
            silence = loop.afterRealTime(way.requestTimeoutMs(), this::whenSilent);
        }
        writer.write(Encoder.request(format, version, correlationId, clientId, request));
    }

    /** One timer for all: it looks at the oldest request, and waits on for one that is younger. */
    private void whenSilent() {
        silence = null;
        InFlight oldest = inFlight.peek();
        if (oldest == null) {
            return;
        }
        long waitedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - oldest.sentNanos());
        if (waitedMs >= way.requestTimeoutMs()) {
            LOG.info("{}: no answer to {} in {} ms", clientId, oldest.format().name(), waitedMs);
            close();
        } else {
            silence = loop.afterRealTime(way.requestTimeoutMs() - waitedMs, this::whenSilent);
        }
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
        NioLoop.guarded(() -> request.reply().answered(request.version(), response.body()));
    }
}
