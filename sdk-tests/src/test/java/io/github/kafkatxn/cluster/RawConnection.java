package io.github.kafkatxn.cluster;

import io.github.kafkatxn.cluster.internal.wire.Encoder;
import io.github.kafkatxn.cluster.internal.wire.MessageFormat;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.apache.kafka.common.message.ResponseHeaderData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;

/** A connection that sends one request, in the version that a test wants, and waits for its answer. */
final class RawConnection implements AutoCloseable {
    private static final int TIMEOUT_MS = 10_000;

    private final Socket socket;
    private int correlationId;

    /** Connects to the first of some addresses. */
    RawConnection(String addresses) throws IOException {
        String[] address = addresses.split(",")[0].split(":");
        socket = new Socket(address[0], Integer.parseInt(address[1]));
        socket.setSoTimeout(TIMEOUT_MS);
    }

    <T extends ApiMessage> T ask(int version, ApiMessage request, Class<T> response) throws IOException {
        MessageFormat format = MessageFormat.of(request.apiKey()).orElseThrow();
        socket.getOutputStream()
                .write(Encoder.request(format, (short) version, correlationId++, "raw", request)
                        .array());
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] frame = in.readNBytes(in.readInt());
        ByteBufferAccessor readable = new ByteBufferAccessor(ByteBuffer.wrap(frame));
        ResponseHeaderData header = new ResponseHeaderData();
        header.read(readable, format.responseHeader().forMessage((short) version));
        ApiMessage body = format.newResponse().get();
        body.read(readable, (short) version);
        return response.cast(body);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
