package io.github.kafkatxn.differential;

import io.github.kafkatxn.cluster.internal.wire.Encoder;
import io.github.kafkatxn.cluster.internal.wire.MessageFormat;
import io.github.kafkatxn.cluster.internal.wire.ResponseFrame;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.ApiMessage;

/** One connection to one node, one request at a time. An answer is waited for 30 seconds. */
final class Wire implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream input;
    private int correlationId;

    /** To the first of {@code host:port,host:port}. */
    Wire(String bootstrapServers) throws IOException {
        String[] address = bootstrapServers.split(",")[0].split(":");
        socket = new Socket(address[0], Integer.parseInt(address[1]));
        socket.setSoTimeout(30_000);
        socket.setTcpNoDelay(true);
        input = new DataInputStream(socket.getInputStream());
    }

    <T extends ApiMessage> T ask(ApiMessage request, int version, Class<T> type) throws IOException {
        MessageFormat format = MessageFormat.of(request.apiKey()).orElseThrow();
        ByteBuffer frame = Encoder.request(format, (short) version, ++correlationId, "differential", request);
        socket.getOutputStream().write(frame.array(), 0, frame.limit());
        byte[] bytes = new byte[input.readInt()];
        input.readFully(bytes);
        ResponseFrame answer = ResponseFrame.decode(ByteBuffer.wrap(bytes), format, (short) version);
        if (answer.correlationId() != correlationId) {
            throw new IOException("answer to request " + answer.correlationId() + " instead of " + correlationId);
        }
        return type.cast(answer.body());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
