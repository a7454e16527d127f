package io.github.kafkatxn.apache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The processes of one cluster and its work directory. Whatever is still open when this JVM exits is closed by one
 * shutdown hook.
 */
final class Nodes implements AutoCloseable {
    private static final Set<Nodes> OPEN = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.forEach(Nodes::close), "apache-kafka-close"));
    }

    private final WorkDirectory work;
    private final Relay relay;
    private final List<NodeProcess> all;

    Nodes(WorkDirectory work, Relay relay, Collection<NodeProcess> all) {
        this.work = work;
        this.relay = relay;
        this.all = List.copyOf(all);
        OPEN.add(this);
    }

    WorkDirectory work() {
        return work;
    }

    Relay relay() {
        return relay;
    }

    List<NodeProcess> all() {
        return all;
    }

    List<NodeProcess> brokers() {
        return all.stream().filter(node -> node.address().isBroker()).toList();
    }

    NodeProcess broker(int id) {
        return brokers().stream()
                .filter(node -> node.address().id() == id)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("broker " + id + ": allowed is one of "
                        + brokers().stream().map(node -> node.address().id()).toList()));
    }

    /** {@code host:port} of the brokers that pass, separated by commas. */
    String bootstrapServers(Predicate<NodeProcess> filter) {
        return join(brokers().stream().filter(filter), NodeAddress::client);
    }

    /** The same of all brokers for clients that come through the relay. */
    String relayedServers() {
        return join(brokers().stream(), NodeAddress::relay);
    }

    private static String join(Stream<NodeProcess> nodes, Function<NodeAddress, String> address) {
        return nodes.map(NodeProcess::address).map(address).collect(Collectors.joining(","));
    }

    boolean isOpen() {
        return OPEN.contains(this);
    }

    /**
     * Kills every process, waits until they are gone and deletes the work directory. Does its work even if the thread
     * is interrupted; the flag stays.
     */
    @Override
    public void close() {
        if (!OPEN.remove(this)) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        List<RuntimeException> failures = new ArrayList<>();
        try {
            relay.close();
            all.forEach(NodeProcess::close);
            for (NodeProcess node : all) {
                try {
                    node.kill();
                } catch (RuntimeException e) {
                    failures.add(e);
                }
            }
            work.close();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        if (!failures.isEmpty()) {
            RuntimeException first = failures.get(0);
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }
}
