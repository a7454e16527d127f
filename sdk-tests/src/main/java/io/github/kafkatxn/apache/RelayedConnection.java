package io.github.kafkatxn.apache;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection of a client and the one to its broker, with a thread for each direction. */
final class RelayedConnection {
    private static final Logger log = LoggerFactory.getLogger(RelayedConnection.class);
    private static final int LENGTH = 4;
    private static final int SHORTEST = 4;
    private static final int SHORTEST_REQUEST = 10;
    /** What a broker takes by default. */
    private static final int LONGEST = 100 * 1024 * 1024;

    private final Relay relay;
    private final Socket client;
    private final Socket broker;

    /** By the correlation id of the request. */
    private final Map<Integer, HeldAnswers> toKeep = new ConcurrentHashMap<>();

    /** Does something with a frame before it is passed on. */
    private interface Look {
        void at(ByteBuffer frame) throws IOException, InterruptedException;
    }

    RelayedConnection(Relay relay, Socket client, Socket broker) throws IOException {
        this.relay = relay;
        this.client = client;
        this.broker = broker;
        client.setTcpNoDelay(true);
        broker.setTcpNoDelay(true);
    }

    void start() {
        pass(client, broker, this::request, "requests");
        pass(broker, client, this::answer, "answers");
    }

    void close() {
        closeQuietly(client);
        closeQuietly(broker);
        relay.ended(this);
    }

    static void closeQuietly(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more, closed or not.
        }
    }

    private void pass(Socket from, Socket to, Look look, String what) {
        Thread thread = new Thread(
                () -> {
                    try {
                        passAll(new DataInputStream(new BufferedInputStream(from.getInputStream())), to, look);
                    } catch (IOException e) {
                        log.debug("One end has gone or made no sense, and the other one goes with it", e);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } finally {
                        close();
                    }
                },
                "apache-kafka-relay-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    private static void passAll(DataInputStream in, Socket to, Look look) throws IOException, InterruptedException {
        OutputStream out = to.getOutputStream();
        while (true) {
            int length = in.readInt();
            if (length < SHORTEST || length > LONGEST) {
                throw new IOException("a frame of " + length + " bytes: allowed is " + SHORTEST + " to " + LONGEST);
            }
            ByteBuffer frame = ByteBuffer.allocate(LENGTH + length).putInt(length);
            in.readFully(frame.array(), LENGTH, length);
            look.at(frame.slice());
            out.write(frame.array());
        }
    }

    /** API key, version, correlation id, client id: the same in every version of the header. */
    private void request(ByteBuffer header) throws IOException {
        if (header.remaining() < SHORTEST_REQUEST) {
            throw new IOException("a request of " + header.remaining() + " bytes has no header");
        }
        short apiKey = header.getShort();
        header.getShort();
        int correlationId = header.getInt();
        short length = header.getShort();
        if (length > header.remaining()) {
            throw new IOException("a client id of " + length + " bytes in " + header.remaining());
        }
        if (length > 0) {
            byte[] clientId = new byte[length];
            header.get(clientId);
            relay.holding(apiKey, new String(clientId, StandardCharsets.UTF_8))
                    .ifPresent(answers -> toKeep.put(correlationId, answers));
        }
    }

    private void answer(ByteBuffer header) throws InterruptedException {
        HeldAnswers answers = toKeep.remove(header.getInt());
        if (answers != null) {
            answers.keep();
        }
    }
}
