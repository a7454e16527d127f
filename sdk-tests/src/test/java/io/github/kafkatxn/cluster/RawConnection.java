package io.github.kafkatxn.cluster;

import io.github.kafkatxn.cluster.internal.wire.Encoder;
import io.github.kafkatxn.cluster.internal.wire.MessageFormat;
import io.github.kafkatxn.cluster.internal.wire.ResponseFrame;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.ApiMessage;

/** A connection to a node over which a test sends requests that no client would send. Waits 10 seconds at most. */
@SuppressWarnings({"StringSplitter", "ByteBufferBackingArray"})
final class RawConnection implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream input;
    private int correlationId;

    RawConnection(int port) throws IOException {
        socket = new Socket("localhost", port);
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
        input = new DataInputStream(socket.getInputStream());
    }

    /** To one of the nodes, by its id. */
    static RawConnection to(ReferenceCluster cluster, int node) throws IOException {
        String address = cluster.bootstrapServers().split(",")[node];
        return new RawConnection(Integer.parseInt(address.substring(address.indexOf(':') + 1)));
    }

    /** Sends a request and waits for its answer. */
    <T extends ApiMessage> T ask(ApiMessage request, int version, Class<T> type) throws IOException {
        send(request, version);
        return answer(request, version, type);
    }

    void send(ApiMessage request, int version) throws IOException {
        MessageFormat format = MessageFormat.of(request.apiKey()).orElseThrow();
        ByteBuffer frame = Encoder.request(format, (short) version, ++correlationId, "raw", request);
        socket.getOutputStream().write(frame.array(), 0, frame.limit());
    }

    /** The answer to what was sent last. */
    <T extends ApiMessage> T answer(ApiMessage request, int version, Class<T> type) throws IOException {
        byte[] bytes = new byte[input.readInt()];
        input.readFully(bytes);
        MessageFormat format = MessageFormat.of(request.apiKey()).orElseThrow();
        ResponseFrame response = ResponseFrame.decode(ByteBuffer.wrap(bytes), format, (short) version);
        if (response.correlationId() != correlationId) {
            throw new IllegalStateException(
                    "answer to " + response.correlationId() + ", expected was " + correlationId);
        }
        return type.cast(response.body());
    }

    /** Whether the node closes the connection without an answer. */
    boolean isClosedByTheNode() throws IOException {
        try {
            input.readInt();
            return false;
        } catch (EOFException | SocketException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
