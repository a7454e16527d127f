package io.github.kafkatxn.internal.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.NetworkReceive;
import org.apache.kafka.common.network.Selector;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.common.utils.internals.LogContext;

/**
 * Connections for a request that kafka-clients' own network client cannot send, since it does not know its key. With
 * the security and the timeouts of the producer; to several brokers side by side, one request at a time to each.
 *
 * <p>All of it runs on the thread that calls, one call at a time. {@link #close} may come from another thread, and ends
 * a call. An interrupt does not, and the flag is set again. Names of hosts and logins that take their time do so on the
 * calling thread, whatever the deadline.
 */
final class LeaderConnections {
    private final Map<String, LeaderConnection> open = new HashMap<>();
    private final ReentrantLock inUse = new ReentrantLock();
    private final Metrics metrics = new Metrics();
    private final Selector selector;
    private final String clientId;
    private final Duration requestTimeout;
    private final int sendBuffer;
    private final int receiveBuffer;
    private int correlationId;
    private boolean interrupted;
    private boolean ended;
    private volatile boolean closing;

    LeaderConnections(AbstractConfig config) {
        this.clientId = config.getString(CommonClientConfigs.CLIENT_ID_CONFIG);
        this.requestTimeout = Duration.ofMillis(config.getInt(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG));
        this.sendBuffer = config.getInt(CommonClientConfigs.SEND_BUFFER_CONFIG);
        this.receiveBuffer = config.getInt(CommonClientConfigs.RECEIVE_BUFFER_CONFIG);
        LogContext log = new LogContext("[kafka-txn-share clientId=" + clientId + "] ");
        this.selector = new Selector(
                config.getLong(CommonClientConfigs.CONNECTIONS_MAX_IDLE_MS_CONFIG),
                metrics,
                Time.SYSTEM,
                "kafka-txn-share",
                ClientUtils.createChannelBuilder(config, Time.SYSTEM, log),
                log);
    }

    /**
     * Connects to brokers, as far as they are not connected, and asks each for its versions.
     *
     * @param nodes which
     * @param deadline when to give up
     * @return the connection to each; one that has not come about has a failure
     */
    Map<Node, LeaderConnection> connect(Collection<Node> nodes, Deadline deadline) {
        return using(() -> {
            turn(Duration.ZERO); // Connections that were closed meanwhile are noticed.
            Map<Node, LeaderConnection> connections = new HashMap<>();
            nodes.forEach(node -> connections.put(node, connection(node)));
            await(connections.values(), deadline);
            return connections;
        });
    }

    /**
     * Sends a request to each broker, once, and waits for the answers.
     *
     * @param requests what to send over which connection, none of which has a failure
     * @param deadline when to give up
     * @return what the answers say; a connection that has brought none has a failure
     */
    Map<LeaderConnection, Map<TopicIdPartition, Errors>> ask(
            Map<LeaderConnection, TxnShareAcknowledge> requests, Deadline deadline) {
        return using(() -> {
            Map<LeaderConnection, Map<TopicIdPartition, Errors>> answers = new HashMap<>();
            requests.forEach((connection, request) -> {
                int id = ++correlationId;
                connection.ask(
                        selector,
                        request.toBytes(id, clientId),
                        answer -> answers.put(connection, request.read(answer, id)));
            });
            await(requests.keySet(), deadline);
            return answers;
        });
    }

    /**
     * Ends a call that is under way, and the connections.
     *
     * @param deadline until when to wait for the call
     */
    void close(Deadline deadline) {
        closing = true;
        selector.wakeup();
        try {
            // First the one that an interrupt does not keep from looking.
            if (inUse.tryLock() || inUse.tryLock(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
                end();
                inUse.unlock();
            }
        } catch (InterruptedException e) {
            // The call ends them.
            Thread.currentThread().interrupt();
        }
    }

    private <T> T using(Supplier<T> call) {
        inUse.lock();
        interrupted = false;
        try {
            return call.get();
        } finally {
            if (closing) {
                end();
            }
            boolean wasInterrupted = interrupted;
            inUse.unlock();
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private LeaderConnection connection(Node node) {
        String id = LeaderConnection.id(node);
        LeaderConnection there = open.get(id);
        if (there != null && there.missing().isEmpty()) {
            return there;
        }
        if (there != null) {
            // It may have learnt it meanwhile: features of a cluster are raised while it runs.
            open.remove(id);
            selector.close(id);
        }
        LeaderConnection connection = new LeaderConnection(node);
        InetSocketAddress address = new InetSocketAddress(node.host(), node.port());
        try {
            if (address.isUnresolved()) {
                throw new IOException("the name of its host is not known");
            }
            selector.connect(id, address, sendBuffer, receiveBuffer);
            open.put(id, connection);
        } catch (IOException e) {
            connection.fail(new DisconnectException("node " + node + " cannot be reached", e));
        }
        return connection;
    }

    private void await(Collection<LeaderConnection> connections, Deadline deadline) {
        Deadline answers = deadline.within(requestTimeout);
        while (connections.stream().anyMatch(LeaderConnection::isWaiting)) {
            if (answers.hasPassed()) {
                connections.stream()
                        .filter(LeaderConnection::isWaiting)
                        .forEach(late -> drop(
                                late,
                                new DisconnectException("node " + late.node + " has not answered within "
                                        + answers.limit().toMillis() + " ms")));
            } else {
                turn(answers.remaining());
            }
        }
    }

    private void turn(Duration patience) {
        if (closing) {
            throw new KafkaException("the producer is closed");
        }
        interrupted |= Thread.interrupted();
        try {
            selector.poll(patience.isZero() ? 0 : patience.toMillis() + 1);
        } catch (IOException e) {
            throw new KafkaException("the network cannot be used", e);
        }
        selector.disconnected().forEach((id, state) -> {
            LeaderConnection lost = open.remove(id);
            if (lost != null) {
                AuthenticationException refused = state.exception();
                lost.fail(
                        refused != null
                                ? refused
                                : new DisconnectException("the connection to node " + lost.node + " was lost"));
            }
        });
        open.forEach((id, connection) -> {
            if (connection.isConnecting() && selector.isChannelReady(id)) {
                connection.askVersions(selector, ++correlationId, clientId);
            }
        });
        for (NetworkReceive receive : List.copyOf(selector.completedReceives())) {
            LeaderConnection connection = open.get(receive.source());
            if (connection != null) {
                read(connection, receive);
            }
        }
    }

    private void read(LeaderConnection connection, NetworkReceive receive) {
        try {
            connection.received(receive.payload());
        } catch (RuntimeException e) {
            drop(connection, new KafkaException("the answer of node " + connection.node + " cannot be read", e));
        }
    }

    private void drop(LeaderConnection connection, RuntimeException why) {
        String id = LeaderConnection.id(connection.node);
        open.remove(id);
        selector.close(id);
        connection.fail(why);
    }

    private void end() {
        if (!ended) {
            ended = true;
            Utils.closeQuietly(selector, "selector");
            metrics.close();
        }
    }
}
