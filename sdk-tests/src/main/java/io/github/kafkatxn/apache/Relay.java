package io.github.kafkatxn.apache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.protocol.ApiKeys;

/**
 * Stands between clients and the brokers of an {@link ApacheKafka} and keeps answers back: the brokers have done what
 * was asked for, and the client does not know. It passes on everything else as it is. Clients that use
 * {@link ApacheKafka#relayedConfig()} come through here, others do not.
 *
 * <p>Thread-safe. Belongs to its {@link ApacheKafka}, which closes it.
 */
public final class Relay {
    private final List<ServerSocket> fronts = new ArrayList<>();
    private final Set<RelayedConnection> connections = ConcurrentHashMap.newKeySet();
    private final Set<HeldAnswers> held = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Relay() {}

    /**
     * From now on the answers to a client's requests of one kind stay here, and everything that comes behind them on
     * the same connection.
     *
     * @param api the kind
     * @param clientId the client's {@code client.id}
     * @return lets them go when it is closed
     */
    public HeldAnswers holdAnswers(ApiKeys api, String clientId) {
        HeldAnswers answers = new HeldAnswers(api, clientId, held::remove);
        held.add(answers);
        return answers;
    }

    /** Listens for clients of the broker that will listen on a port. */
    int front(int brokerPort) {
        try {
            ServerSocket front = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            fronts.add(front);
            Thread thread = new Thread(() -> accept(front, brokerPort), "apache-kafka-relay-" + brokerPort);
            thread.setDaemon(true);
            thread.start();
            return front.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen for the clients of the broker on port " + brokerPort, e);
        }
    }

    Optional<HeldAnswers> holding(short apiKey, String clientId) {
        return held.stream().filter(answers -> answers.are(apiKey, clientId)).findFirst();
    }

    void ended(RelayedConnection connection) {
        connections.remove(connection);
    }

    void close() {
        closed = true;
        fronts.forEach(RelayedConnection::closeQuietly);
        held.forEach(HeldAnswers::close);
        connections.forEach(RelayedConnection::close);
    }

    private void accept(ServerSocket front, int brokerPort) {
        while (!closed) {
            Socket client = null;
            try {
                client = front.accept();
                Socket broker = new Socket(InetAddress.getLoopbackAddress(), brokerPort);
                RelayedConnection connection = new RelayedConnection(this, client, broker);
                connections.add(connection);
                connection.start();
                if (closed) {
                    connection.close();
                }
            } catch (IOException e) {
                // The broker is not there: to the client it looks as if it went at once. Or this is closed.
                if (client != null) {
                    RelayedConnection.closeQuietly(client);
                }
            }
        }
    }
}
