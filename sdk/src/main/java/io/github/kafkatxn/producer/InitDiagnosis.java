package io.github.kafkatxn.producer;

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
    private static final int LIMIT_MILLIS = 3_000;
    private static final String MAX_TIMEOUT = "transaction.max.timeout.ms";
    private static final String REPLICATION = "transaction.state.log.replication.factor";

    private InitDiagnosis() {}

    static String of(ProducerSettings settings) {
        Object servers = settings.properties().get(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG);
        try (Admin admin = Admin.create(adminProperties(settings))) {
            Collection<Node> nodes = get(admin.describeCluster().nodes());
            if (nodes == null || nodes.isEmpty()) {
                return "No broker answers at bootstrap.servers=" + servers + ".";
            }
            return "Brokers answering: " + nodes.size() + "; " + settingsOf(admin, nodes, settings) + ".";
        } catch (KafkaException e) {
            return "No broker could be asked at bootstrap.servers=" + servers + ": " + e.getMessage() + ".";
        }
    }

    private static String settingsOf(Admin admin, Collection<Node> nodes, ProducerSettings settings) {
        ConfigResource broker = new ConfigResource(
                ConfigResource.Type.BROKER, nodes.iterator().next().idString());
        Map<ConfigResource, Config> configs =
                get(admin.describeConfigs(List.of(broker)).all());
        String timeout =
                "transaction.timeout.ms=" + settings.transactionTimeout().toMillis();
        Config config = configs == null ? null : configs.get(broker);
        if (config == null) {
            return timeout + " must be at most the broker's " + MAX_TIMEOUT
                    + ", and the broker needs a coordinator for " + settings.transactionalId();
        }
        return timeout + ", the broker's " + MAX_TIMEOUT + "=" + value(config, MAX_TIMEOUT) + "; the broker's "
                + REPLICATION + "=" + value(config, REPLICATION) + " needs as many brokers";
    }

    private static String value(Config config, String name) {
        ConfigEntry entry = config.get(name);
        return entry == null ? "unknown" : String.valueOf(entry.value());
    }

    private static Map<String, Object> adminProperties(ProducerSettings settings) {
        Map<String, Object> properties = new HashMap<>(settings.properties());
        properties.keySet().retainAll(AdminClientConfig.configNames());
        properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, LIMIT_MILLIS);
        properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, LIMIT_MILLIS);
        return properties;
    }

    private static <T> @Nullable T get(KafkaFuture<T> future) {
        try {
            return future.get(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
