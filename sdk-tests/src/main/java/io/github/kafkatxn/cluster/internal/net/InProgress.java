package io.github.kafkatxn.cluster.internal.net;

import io.github.kafkatxn.cluster.internal.api.ApiRegistry;
import io.github.kafkatxn.cluster.internal.api.Call;
import io.github.kafkatxn.cluster.internal.api.ClientConnection;
import io.github.kafkatxn.cluster.internal.fault.Exchange;
import io.github.kafkatxn.cluster.internal.fault.Outcome;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.wire.Encoder;
import io.github.kafkatxn.cluster.internal.wire.RequestFrame;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.apache.kafka.common.protocol.ApiMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The request in progress on a connection, as the fault plan sees it. */
final class InProgress implements Exchange {
    private static final Logger LOG = LoggerFactory.getLogger(InProgress.class);

    private final ServerConnection connection;
    private final NodeServer server;
    private final RequestFrame frame;
    private final int size;
    private final ApiRegistry.Entry entry;
    private boolean ended;

    InProgress(ServerConnection connection, NodeServer server, RequestFrame frame, int size, ApiRegistry.Entry entry) {
        this.connection = connection;
        this.server = server;
        this.frame = frame;
        this.size = size;
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
    public ClusterImage image() {
        return server.image().known();
    }

    @Override
    public RequestFrame request() {
        return frame;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public OptionalInt sender() {
        return PeerLink.sender(frame.clientId());
    }

    @Override
    public boolean isOpen() {
        return connection.isOpen();
    }

    @Override
    public void handle(ApiMessage request, ClusterImage image, Consumer<Outcome> then) {
        if (ended || !connection.isOpen()) {
            return;
        }
        HandlerCall call = new HandlerCall(request, then);
        call.guarded(() -> server.image().showing(image, () -> ApiRegistry.dispatch(entry, call)))
                .run();
    }

    @Override
    public void finish(Outcome outcome) {
        if (ended) {
            return;
        }
        ended = true;
        switch (outcome.kind()) {
            case ANSWER -> connection.answered(encode(outcome.answer().orElseThrow()));
            case NO_ANSWER -> connection.next();
            case DISCONNECT -> connection.close();
            case SILENCE -> connection.fallSilent();
        }
    }

    private @Nullable ByteBuffer encode(ApiMessage answer) {
        try {
            return Encoder.response(frame.format(), frame.version(), frame.correlationId(), answer);
        } catch (RuntimeException e) {
            LOG.error("node {} cannot encode its answer to {}: {}", server.nodeId(), frame, answer, e);
            return null;
        }
    }

    /** The request in progress, as its handler sees it: what comes of it passes the fault plan. */
    private final class HandlerCall implements Call<ApiMessage> {
        private final ApiMessage request;
        private final Consumer<Outcome> then;
        private boolean told;

        HandlerCall(ApiMessage request, Consumer<Outcome> then) {
            this.request = request;
            this.then = then;
        }

        @Override
        public ApiMessage request() {
            return request;
        }

        @Override
        public short version() {
            return frame.version();
        }

        @Override
        public String clientId() {
            return frame.clientId();
        }

        @Override
        public String principal() {
            return connection.principal();
        }

        @Override
        public ClientConnection connection() {
            return connection;
        }

        @Override
        public void answer(ApiMessage response) {
            tell(Outcome.answer(response));
        }

        @Override
        public void noAnswer() {
            tell(Outcome.NO_ANSWER);
        }

        @Override
        public void disconnect() {
            tell(Outcome.DISCONNECT);
        }

        @Override
        public Runnable guarded(Runnable next) {
            return () -> {
                try {
                    next.run();
                } catch (RuntimeException | Error e) {
                    LOG.error("node {} failed on {}", server.nodeId(), frame, e);
                    // Not by way of the fault plan: it may be what has failed.
                    finish(Outcome.DISCONNECT);
                }
            };
        }

        private void tell(Outcome outcome) {
            if (!told) {
                told = true;
                guarded(() -> then.accept(outcome)).run();
            }
        }
    }
}
