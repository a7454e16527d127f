package io.github.kafkatxn.differential;

import io.github.kafkatxn.cluster.internal.wire.Encoder;
import io.github.kafkatxn.cluster.internal.wire.MessageFormat;
import io.github.kafkatxn.cluster.internal.wire.ResponseFrame;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.message.SaslHandshakeResponseData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.utils.Utils;

/** One connection to one node. An answer is waited for 30 seconds. */
final class Wire implements AutoCloseable {
    private static final int ON_THEIR_WAY = 50;

    private final Socket socket;
    private final DataInputStream input;
    private int sent;
    private int received;

    /** To the first of {@code host:port,host:port}. */
    Wire(String bootstrapServers) throws IOException {
        String[] address = bootstrapServers.split(",", -1)[0].split(":", -1);
        socket = new Socket(address[0], Integer.parseInt(address[1]));
        socket.setSoTimeout(30_000);
        socket.setTcpNoDelay(true);
        input = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /** The same, of a user who has logged in (SASL, PLAIN). */
    static Wire loggedIn(String bootstrapServers, String user, String password) throws IOException {
        Wire wire = new Wire(bootstrapServers);
        wire.ask(new SaslHandshakeRequestData().setMechanism("PLAIN"), 1, SaslHandshakeResponseData.class);
        byte[] token = ("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8);
        SaslAuthenticateResponseData answer =
                wire.ask(new SaslAuthenticateRequestData().setAuthBytes(token), 2, SaslAuthenticateResponseData.class);
        if (answer.errorCode() != 0) {
            wire.close();
            throw new IOException(user + " cannot log in: " + answer.errorMessage());
        }
        return wire;
    }

    <T extends ApiMessage> T ask(ApiMessage request, int version, Class<T> type) throws IOException {
        MessageFormat format = MessageFormat.of(request.apiKey()).orElseThrow();
        send(request, version, format);
        return type.cast(receive(version, format));
    }

    /** The same request so many times; the answer to the last one. Some of them are always on their way. */
    <T extends ApiMessage> T askAgainAndAgain(ApiMessage request, int version, int times, Class<T> type)
            throws IOException {
        MessageFormat format = MessageFormat.of(request.apiKey()).orElseThrow();
        for (int i = 1; i < times; i++) {
            send(request, version, format);
            if (i > ON_THEIR_WAY) {
                receive(version, format);
            }
        }
        for (int left = Math.min(times - 1, ON_THEIR_WAY); left > 0; left--) {
            receive(version, format);
        }
        return ask(request, version, type);
    }

    private void send(ApiMessage request, int version, MessageFormat format) throws IOException {
        ByteBuffer frame = Encoder.request(format, (short) version, ++sent, "differential", request);
        socket.getOutputStream().write(Utils.toArray(frame));
    }

    private ApiMessage receive(int version, MessageFormat format) throws IOException {
        byte[] bytes = new byte[input.readInt()];
        input.readFully(bytes);
        ResponseFrame answer = ResponseFrame.decode(ByteBuffer.wrap(bytes), format, (short) version);
        if (answer.correlationId() != ++received) {
            throw new IOException("answer to request " + answer.correlationId() + " instead of " + received);
        }
        return answer.body();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
