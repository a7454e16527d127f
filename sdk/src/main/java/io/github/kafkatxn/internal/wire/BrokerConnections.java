package io.github.kafkatxn.internal.wire;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.ApiVersions;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.DefaultHostResolver;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.jspecify.annotations.Nullable;

/**
 * Connections of this library's own to the brokers of a producer, beside those of the producer: its security, its
 * timeouts and back-offs, its client id. A connection has one request at a time.
 *
 * <p>Has one daemon thread, which connects. Calls are safe for every thread and end with their deadline, whatever the
 * network does; an interrupt does not end them, and the flag is set again.
 */
public final class BrokerConnections {
    /** What the network thread is called, with the client id behind it. */
    public static final String THREAD = "kafka-txn-network-thread | ";

    private final CountDownLatch closed = new CountDownLatch(1);
    private final NetworkLoop loop;
    private final Metrics metrics;
    private final Thread thread;

    private BrokerConnections(NetworkLoop loop, Metrics metrics, String clientId) {
        this.loop = loop;
        this.metrics = metrics;
        this.thread = new Thread(loop, THREAD + clientId);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * The configuration of a producer.
     *
     * @param producerProperties its properties, as they are given to {@code KafkaProducer}, without serializers
     * @return parsed
     */
    public static AbstractConfig config(Map<String, Object> producerProperties) {
        Map<String, Object> properties = new HashMap<>(producerProperties);
        properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        // As the producer calls itself, so that quotas see one client.
        properties.putIfAbsent(
                ProducerConfig.CLIENT_ID_CONFIG,
                "producer-" + producerProperties.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG));
        return new AbstractConfig(ProducerConfig.configDef(), properties, false);
    }

    /**
     * Makes connections that are not connected yet.
     *
     * @param config what {@link #config} has made
     * @return the connections; the caller closes them
     */
    public static BrokerConnections open(AbstractConfig config) {
        String clientId = config.getString(ProducerConfig.CLIENT_ID_CONFIG);
        // No call waits longer than max.block.ms: a connection that is not made in that time is in the way of others.
        int requestTimeout = (int) Math.min(
                config.getInt(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG),
                config.getLong(ProducerConfig.MAX_BLOCK_MS_CONFIG));
        Brokers brokers = new Brokers(config);
        Metrics metrics = new Metrics();
        KafkaClient client = ClientUtils.createNetworkClient(
                config,
                config.getList(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG),
                clientId,
                metrics,
                "kafka-txn",
                new LogContext("[kafka-txn clientId=" + clientId + "] "),
                new ApiVersions(),
                Time.SYSTEM,
                1,
                requestTimeout,
                null,
                brokers,
                new DefaultHostResolver(),
                null,
                null);
        return new BrokerConnections(
                new NetworkLoop(client, brokers, requestTimeout, loginsAreQuick(config)), metrics, clientId);
    }

    /** What Kafka's own mechanisms say is at hand; a ticket of Kerberos, or what a handler asks for, is fetched. */
    private static boolean loginsAreQuick(AbstractConfig config) {
        String protocol = config.getString(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG);
        if (!protocol.toUpperCase(Locale.ROOT).startsWith("SASL_")) {
            return true;
        }
        return !config.getString(SaslConfigs.SASL_MECHANISM).equals(SaslConfigs.GSSAPI_MECHANISM)
                && config.getClass(SaslConfigs.SASL_CLIENT_CALLBACK_HANDLER_CLASS) == null;
    }

    /**
     * Sends a request and waits for its answer. It is sent once.
     *
     * @param node where to; null if any broker will do
     * @param request in the highest version that both sides know
     * @param deadline when to give up
     * @return the answer, in whichever version
     * @throws RuntimeException why there is none: a {@link org.apache.kafka.common.errors.TimeoutException}, a
     *     {@link org.apache.kafka.common.errors.DisconnectException}, what authentication or the versions say
     */
    public ClientResponse ask(@Nullable Node node, AbstractRequest.Builder<?> request, Deadline deadline) {
        Exchange exchange = new Exchange(node, request);
        if (!loop.isSentHere(exchange, deadline)) {
            loop.submit(exchange);
        }
        return uninterruptibly(() -> await(exchange, deadline));
    }

    private ClientResponse await(Exchange exchange, Deadline deadline) throws InterruptedException {
        try {
            return exchange.answer.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof RuntimeException why ? why : new KafkaException(e.getCause());
        } catch (TimeoutException e) {
            exchange.failLate(deadline);
            loop.abandoned();
            // It has failed now, or was answered at the last moment.
            return await(exchange, deadline);
        }
    }

    /**
     * Waits between two attempts.
     *
     * @param millis how long
     * @param deadline when to stop waiting
     */
    void pause(long millis, Deadline deadline) {
        Deadline end = deadline.within(Duration.ofMillis(millis));
        boolean over = uninterruptibly(() -> closed.await(end.remaining().toNanos(), TimeUnit.NANOSECONDS));
        if (over) {
            throw new KafkaException("the producer is closed");
        }
    }

    /**
     * Ends all calls, and waits for the thread to end.
     *
     * @param deadline until when
     */
    public void close(Deadline deadline) {
        closed.countDown();
        loop.close();
        uninterruptibly(() -> {
            thread.join(Math.max(1, deadline.remaining().toMillis()));
            return true;
        });
        metrics.close();
    }

    /** A wait that may be interrupted. */
    private interface Waiting<T> {
        T run() throws InterruptedException;
    }

    private static <T> T uninterruptibly(Waiting<T> waiting) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return waiting.run();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
