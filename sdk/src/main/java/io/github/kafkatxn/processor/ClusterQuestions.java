package io.github.kafkatxn.processor;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Questions of a processor to its cluster, with an admin client of its own; shared by the lanes. Nothing waits longer
 * than the call timeout, or than a batch may go on once it is to stop.
 */
final class ClusterQuestions implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(10);

    private final ProcessorSettings settings;
    private final StopSignal stop;
    private @Nullable Admin admin;
    private boolean closed;

    ClusterQuestions(ProcessorSettings settings, StopSignal stop) {
        this.settings = settings;
        this.stop = stop;
    }

    /** {@return how long to wait for an answer, at most} */
    Duration limit() {
        return settings.producer().callTimeout();
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
    }

    /** Made when first needed. One that is closed answers that it is. */
    synchronized Admin client() {
        Admin made = admin;
        if (made == null) {
            made = Admin.create(adminProperties());
            admin = made;
            if (closed) {
                made.close(Duration.ZERO);
            }
        }
        return made;
    }

    private Map<String, Object> adminProperties() {
        Map<String, Object> properties = new HashMap<>(settings.consumerProperties());
        properties.keySet().retainAll(AdminClientConfig.configNames());
        int limit = (int) limit().toMillis();
        properties.put(AdminClientConfig.CLIENT_ID_CONFIG, settings.laneName(0) + "-admin");
        properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, limit);
        properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, limit);
        return properties;
    }

    /**
     * Waits for an answer.
     *
     * @param answer which was asked for
     * @param start when it was, in {@link System#nanoTime()}
     * @param limit how long to wait from then on, at most
     * @return the answer
     * @throws KafkaException what it was refused with, or that there was none in time
     */
    <T> T get(KafkaFuture<T> answer, long start, Duration limit) {
        try {
            while (!answer.isDone()) {
                long now = System.nanoTime();
                if (now - start > limit.toNanos() || stop.graceIsOver(now)) {
                    throw new TimeoutException("the cluster has not answered in time");
                }
                await(answer);
            }
            return answer.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TimeoutException("interrupted while waiting for an answer of the cluster", e);
        }
    }

    private static void await(KafkaFuture<?> answer) throws InterruptedException, ExecutionException {
        try {
            answer.get(TICK.toMillis(), TimeUnit.MILLISECONDS);
        } catch (java.util.concurrent.TimeoutException e) {
            // Looks whether it is to stop.
        }
    }
}
