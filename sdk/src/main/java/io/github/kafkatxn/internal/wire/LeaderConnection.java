package io.github.kafkatxn.internal.wire;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.network.ByteBufferSend;
import org.apache.kafka.common.network.NetworkSend;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;

/** One connection: comes about, asks the broker for its versions, and then carries one request at a time. */
final class LeaderConnection {
    /** The first version with finalized features. */
    private static final short VERSIONS_VERSION = 3;

    private enum State {
        CONNECTING,
        ASKED,
        IDLE,
        FAILED
    }

    final Node node;
    private State state = State.CONNECTING;
    private Consumer<ByteBuffer> reader = answer -> {};
    private Optional<String> missing = Optional.empty();
    private @Nullable RuntimeException failure;

    LeaderConnection(Node node) {
        this.node = node;
    }

    /** {@return the id of a connection: a node that comes back somewhere else is connected to anew} */
    static String id(Node node) {
        return node.idString() + "@" + node.host() + ":" + node.port();
    }

    boolean isConnecting() {
        return state == State.CONNECTING;
    }

    /** {@return whether something has to happen before it can be used again} */
    boolean isWaiting() {
        return state == State.CONNECTING || state == State.ASKED;
    }

    /** {@return why it is of no use any more} */
    Optional<RuntimeException> failure() {
        return Optional.ofNullable(failure);
    }

    /** {@return what the broker lacks; known once it is connected} */
    Optional<String> missing() {
        return missing;
    }

    void askVersions(Selector selector, int correlationId, String clientId) {
        RequestHeader header = new RequestHeader(ApiKeys.API_VERSIONS, VERSIONS_VERSION, clientId, correlationId);
        ApiVersionsRequest request = new ApiVersionsRequest.Builder(VERSIONS_VERSION).build(VERSIONS_VERSION);
        reader = answer -> missing =
                ShareCapability.missing(((ApiVersionsResponse) AbstractResponse.parseResponse(answer, header)).data());
        state = State.ASKED;
        selector.send(new NetworkSend(id(node), request.toSend(header)));
    }

    void ask(Selector selector, ByteBuffer request, Consumer<ByteBuffer> answerReader) {
        reader = answerReader;
        state = State.ASKED;
        selector.send(new NetworkSend(id(node), ByteBufferSend.sizePrefixed(request)));
    }

    void received(ByteBuffer answer) {
        state = State.IDLE;
        reader.accept(answer);
    }

    void fail(RuntimeException why) {
        state = State.FAILED;
        failure = why;
    }
}
