package io.github.kafkatxn.internal.wire;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the network client of one producer's own requests. Whoever waits for an answer does so itself, over a connection
 * that is there: to hand a request to another thread, and its answer back, takes a tenth of what the broker takes.
 * Whatever else is to be done is done by the network thread, because a call has a deadline, and the names of brokers
 * and logins take as long as they like.
 *
 * <p>Whoever has given up waiting for an answer is not followed by it: the connection is closed, since a broker answers
 * the requests of a connection one after the other.
 */
final class NetworkLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkLoop.class);

    /** How often to look for a node to connect to while all of them are in their reconnect back-off. */
    private static final long LOOK_AGAIN_MILLIS = 20;

    private final Queue<Exchange> submitted = new ConcurrentLinkedQueue<>();
    private final List<Exchange> unsent = new ArrayList<>();
    private final List<Exchange> inFlight = new ArrayList<>();
    private final KafkaClient client;
    private final Brokers brokers;
    private final int requestTimeoutMillis;

    /** Else whoever waits for an answer might wait for a login too: a connection logs in again as its session ends. */
    private final boolean loginsAreQuick;

    /** Who has it runs the client. The network thread keeps it until it has done all that was submitted. */
    private final ReentrantLock inUse = new ReentrantLock();

    private volatile @Nullable Thread thread;
    private volatile boolean closing;
    private volatile boolean ended;

    NetworkLoop(KafkaClient client, Brokers brokers, int requestTimeoutMillis, boolean loginsAreQuick) {
        this.client = client;
        this.brokers = brokers;
        this.requestTimeoutMillis = requestTimeoutMillis;
        this.loginsAreQuick = loginsAreQuick;
    }

    /**
     * Sends a request and waits for the answer, on the calling thread. An interrupt does not end that, and the flag is
     * set again. Safe for every thread. If somebody else submits something, the network thread goes on with both.
     *
     * @param deadline when to give up
     * @return whether it was sent, or cannot be. Not if there is no connection to its node that could take a request,
     *     or the client is in use
     */
    boolean isSentHere(Exchange exchange, Deadline deadline) {
        if (!loginsAreQuick || exchange.node == null || !inUse.tryLock()) {
            return false;
        }
        // The selector does not wait while the flag is set.
        boolean interrupted = Thread.interrupted();
        try {
            if (ended || !isConnected(exchange.node) || !isSent(exchange, Time.SYSTEM.milliseconds())) {
                return false;
            }
            while (!exchange.isOver() && !closing && submitted.isEmpty() && !deadline.hasPassed()) {
                orFailAll(() -> poll(deadline.remaining().toMillis() + 1));
                interrupted |= Thread.interrupted();
            }
            if (closing) {
                exchange.fail(closed());
            }
            if (deadline.hasPassed()) {
                exchange.failLate(deadline);
                hangUpOnTheAbandoned();
            }
            return true;
        } finally {
            inUse.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Safe for every thread. */
    void submit(Exchange exchange) {
        submitted.add(exchange);
        if (ended) {
            exchange.fail(closed());
        }
        wakeup();
    }

    /** Nobody waits for the answer of an exchange any more. Safe for every thread. */
    void abandoned() {
        client.wakeup();
    }

    /** Safe for every thread. */
    void close() {
        closing = true;
        wakeup();
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        try {
            while (!closing) {
                if (submitted.isEmpty()) {
                    LockSupport.park(this);
                } else {
                    doWhatWasSubmitted();
                }
                // With the flag set it would never sleep again.
                Thread.interrupted();
            }
        } finally {
            end();
        }
    }

    private void end() {
        inUse.lock();
        try {
            ended = true;
            failAll(closed());
            Utils.closeQuietly(client, "network client");
        } finally {
            inUse.unlock();
        }
    }

    private void doWhatWasSubmitted() {
        inUse.lock();
        try {
            do {
                orFailAll(this::turn);
            } while (!closing && !(unsent.isEmpty() && inFlight.isEmpty()));
        } finally {
            inUse.unlock();
        }
    }

    private void orFailAll(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            LOG.warn("closing the connections in use, after what should not have happened", e);
            // Another version of the client than expected: whoever has asked takes another way.
            failAll(
                    e instanceof LinkageError
                            ? e
                            : new DisconnectException("the connection was closed after an error", e));
        }
    }

    private void wakeup() {
        LockSupport.unpark(thread);
        client.wakeup();
    }

    /** Notices first what has become of the connection while nobody looked. */
    private boolean isConnected(Node node) {
        orFailAll(() -> poll(0));
        return client.isReady(node, Time.SYSTEM.milliseconds());
    }

    private void turn() {
        for (Exchange next = submitted.poll(); next != null; next = submitted.poll()) {
            unsent.add(next);
        }
        hangUpOnTheAbandoned();
        long now = Time.SYSTEM.milliseconds();
        unsent.removeIf(exchange -> exchange.isOver() || isSent(exchange, now));
        poll(unsent.isEmpty() ? Long.MAX_VALUE : LOOK_AGAIN_MILLIS);
    }

    private void poll(long patienceMillis) {
        client.poll(patienceMillis, Time.SYSTEM.milliseconds()).forEach(this::received);
        inFlight.removeIf(Exchange::isSettled);
    }

    private void received(ClientResponse response) {
        if (response.responseBody() instanceof MetadataResponse metadata
                && !metadata.brokers().isEmpty()) {
            brokers.named(metadata.brokers());
        }
    }

    private void hangUpOnTheAbandoned() {
        for (Iterator<Exchange> all = inFlight.iterator(); all.hasNext(); ) {
            Exchange exchange = all.next();
            if (exchange.isOver()) {
                all.remove();
                client.disconnect(exchange.goesTo());
            }
        }
    }

    /** {@return whether it need not be looked at again: it is sent, or cannot be} */
    private boolean isSent(Exchange exchange, long now) {
        try {
            Node node = target(exchange, now);
            if (node == null) {
                return false;
            }
            exchange.goesTo(node.idString());
            if (client.connectionDelay(node, now) == 0) {
                // It is made now, which may fail at once: the name does not resolve, there is no route.
                exchange.connecting();
            }
            if (client.ready(node, now)) {
                send(exchange, node, now);
                return true;
            }
            lookAtConnection(exchange, node);
        } catch (RuntimeException | LinkageError e) {
            // What cannot be encoded, names that do not resolve, another version of the client than expected.
            exchange.fail(e);
        }
        return exchange.isOver();
    }

    private @Nullable Node target(Exchange exchange, long now) {
        if (exchange.node != null) {
            return exchange.node;
        }
        brokers.bootstrap();
        Node node = client.leastLoadedNode(now).node();
        if (node == null) {
            brokers.fetchNodes().forEach(unreachable -> refuseIfNotAuthentic(exchange, unreachable));
        }
        return node;
    }

    /** A connection that was lost before says nothing: it is made again once its back-off is over. */
    private void lookAtConnection(Exchange exchange, Node node) {
        if (!client.connectionFailed(node)) {
            exchange.connecting();
        } else {
            refuseIfNotAuthentic(exchange, node);
            if (exchange.node != null && exchange.wasConnecting()) {
                exchange.fail(new DisconnectException("node " + node + " cannot be reached"));
            }
        }
    }

    private void refuseIfNotAuthentic(Exchange exchange, Node node) {
        AuthenticationException refused = client.authenticationException(node);
        if (refused != null) {
            exchange.fail(refused);
        }
    }

    private void send(Exchange exchange, Node node, long now) {
        client.send(
                client.newClientRequest(node.idString(), exchange.request, now, true, requestTimeoutMillis, exchange),
                now);
        inFlight.add(exchange);
    }

    /** First everybody is told, then connections are closed: that may fail as well. */
    private void failAll(Throwable why) {
        List<Exchange> begun = new ArrayList<>(inFlight);
        begun.addAll(unsent);
        inFlight.clear();
        unsent.clear();
        begun.forEach(exchange -> exchange.fail(why));
        for (Exchange next = submitted.poll(); next != null; next = submitted.poll()) {
            next.fail(why);
        }
        try {
            begun.stream()
                    .map(Exchange::goesTo)
                    .filter(node -> !node.isEmpty())
                    .distinct()
                    .forEach(client::disconnect);
        } catch (RuntimeException | Error e) {
            LOG.warn("a connection could not be closed", e);
        }
    }

    private static KafkaException closed() {
        return new KafkaException("the producer is closed");
    }
}
