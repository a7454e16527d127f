package io.github.kafkatxn.producer;

import io.github.kafkatxn.internal.wire.BrokerConnections;
import io.github.kafkatxn.internal.wire.CoordinatorLookup;
import io.github.kafkatxn.internal.wire.Deadline;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;

/**
 * Why a transactional id may not have come up: the client's exception says only that it did not. Asks the cluster,
 * within a few seconds, for what decides it; a question that is not answered is left out.
 */
final class InitDiagnosis {
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final String MAX_TIMEOUT = "transaction.max.timeout.ms";
    private static final String REPLICATION = "transaction.state.log.replication.factor";
    private static final String IN_SYNC = "transaction.state.log.min.isr";

    private InitDiagnosis() {}

    /** {@return the part of a call's time that is kept for the questions} */
    static Duration share(Duration callTimeout) {
        Duration quarter = callTimeout.dividedBy(4);
        return quarter.compareTo(LIMIT) < 0 ? quarter : LIMIT;
    }

    static String of(ProducerSettings settings, Deadline call) {
        // With the flag set no answer would be waited for.
        boolean interrupted = Thread.interrupted();
        try {
            return ask(settings, call);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static String ask(ProducerSettings settings, Deadline call) {
        Object servers = settings.properties().get(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG);
        Duration left = call.remaining();
        Deadline deadline = Deadline.in(left.compareTo(LIMIT) < 0 ? left : LIMIT);
        try {
            Admin admin = Admin.create(adminProperties(settings, deadline));
            try {
                Collection<Node> nodes = get(admin.describeCluster().nodes(), deadline);
                if (nodes == null || nodes.isEmpty()) {
                    return "No broker answers at bootstrap.servers=" + servers + ".";
                }
                // First what two questions are enough for.
                String decisive = settingsOf(admin, nodes, settings, deadline);
                return "Brokers answering: " + nodes.size() + "; coordinator of " + settings.transactionalId() + ": "
                        + coordinator(settings, deadline) + "; " + decisive + ".";
            } finally {
                admin.close(Duration.ZERO);
            }
        } catch (KafkaException e) {
            return "No broker could be asked at bootstrap.servers=" + servers + ": " + e.getMessage() + ".";
        }
    }

    /** Admin clients do not tell: they ask again and again, and then say that it took too long. */
    private static String coordinator(ProducerSettings settings, Deadline deadline) {
        try {
            return CoordinatorLookup.ofTransactionalId(
                    BrokerConnections.config(settings.properties()), settings.transactionalId(), deadline);
        } catch (KafkaException e) {
            return "not told (" + e.getMessage() + ")";
        }
    }

    private static String settingsOf(
            Admin admin, Collection<Node> nodes, ProducerSettings settings, Deadline deadline) {
        ConfigResource broker = new ConfigResource(
                ConfigResource.Type.BROKER, nodes.iterator().next().idString());
        Map<ConfigResource, Config> configs =
                get(admin.describeConfigs(List.of(broker)).all(), deadline);
        String timeout =
                "transaction.timeout.ms=" + settings.transactionTimeout().toMillis();
        Config config = configs == null ? null : configs.get(broker);
        if (config == null) {
            return timeout + " must be at most the broker's " + MAX_TIMEOUT
                    + ", and the broker needs a coordinator for " + settings.transactionalId();
        }
        return timeout + ", the broker's " + MAX_TIMEOUT + "=" + value(config, MAX_TIMEOUT) + "; the broker's "
                + REPLICATION + "=" + value(config, REPLICATION) + " needs as many brokers, and its " + IN_SYNC + "="
                + value(config, IN_SYNC) + " as many replicas in sync";
    }

    private static String value(Config config, String name) {
        ConfigEntry entry = config.get(name);
        return entry == null ? "unknown" : String.valueOf(entry.value());
    }

    private static Map<String, Object> adminProperties(ProducerSettings settings, Deadline deadline) {
        int millis = (int) Math.max(1, deadline.remaining().toMillis());
        Map<String, Object> properties = new HashMap<>(settings.properties());
        properties.keySet().retainAll(AdminClientConfig.configNames());
        properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
        properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
        // A few questions are not worth reporting.
        properties.put(AdminClientConfig.METRIC_REPORTER_CLASSES_CONFIG, List.of());
        properties.put(AdminClientConfig.ENABLE_METRICS_PUSH_CONFIG, false);
        return properties;
    }

    private static <T> @Nullable T get(KafkaFuture<T> future, Deadline deadline) {
        try {
            return future.get(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
