package io.github.kafkatxn.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;

/**
 * The way of a simulation's producers to the nodes. A request without an answer costs the connection; whoever waits for
 * the cluster's time would wait for ever, for only the simulation moves it.
 */
final class SimulationNetwork implements AutoCloseable {
    static final String GROUP = "g";

    private static final Duration PATIENCE = Duration.ofMillis(150);

    private final ReferenceCluster cluster;
    private final int transactionVersion;
    private final Map<Integer, TransactionClient> connections = new HashMap<>();

    SimulationNetwork(ReferenceCluster cluster, int transactionVersion) {
        this.cluster = cluster;
        this.transactionVersion = transactionVersion;
    }

    int transactionVersion() {
        return transactionVersion;
    }

    /** Requests that go to somebody. */
    final class Node {
        private final int id;

        private Node(int id) {
            this.id = id;
        }

        <A> A ask(Function<TransactionClient, A> request) {
            try {
                return request.apply(connections.computeIfAbsent(
                        id, node -> TransactionClient.of(cluster, node).impatient(PATIENCE)));
            } catch (UncheckedIOException e) {
                disconnect();
                throw e;
            }
        }

        private void disconnect() {
            TransactionClient client = connections.remove(id);
            if (client != null) {
                closeAll(List.of(client));
            }
        }
    }

    Node coordinator(String transactionalId) {
        return leader(cluster.transactionPartition(transactionalId));
    }

    Node groupCoordinator() {
        return leader(cluster.groupPartition(GROUP));
    }

    Node leader(TopicPartition partition) {
        return new Node(cluster.leader(partition));
    }

    @Override
    public void close() {
        closeAll(List.copyOf(connections.values()));
        connections.clear();
    }

    private static void closeAll(List<TransactionClient> clients) {
        for (TransactionClient client : clients) {
            try {
                client.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
