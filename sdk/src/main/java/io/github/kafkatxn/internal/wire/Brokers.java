package io.github.kafkatxn.internal.wire;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.ManualMetadataUpdater;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.DisconnectException;

/**
 * The brokers that any question can go to: those that the last answer named, and always those of
 * {@code bootstrap.servers}, so that a cluster whose brokers have all been replaced is found again. Belongs to the
 * network thread.
 */
final class Brokers extends ManualMetadataUpdater {
    private final AbstractConfig config;
    private List<Node> bootstrap = List.of();

    Brokers(AbstractConfig config) {
        this.config = config;
    }

    /** Resolves the names of {@code bootstrap.servers}, when they are first needed. */
    void bootstrap() {
        if (bootstrap.isEmpty()) {
            List<Node> nodes = new ArrayList<>();
            for (InetSocketAddress address : addresses()) {
                nodes.add(new Node(-1 - nodes.size(), address.getHostString(), address.getPort()));
            }
            bootstrap = nodes;
            setNodes(nodes);
        }
    }

    void named(Collection<Node> brokers) {
        List<Node> nodes = new ArrayList<>(brokers);
        nodes.addAll(bootstrap);
        setNodes(nodes);
    }

    private List<InetSocketAddress> addresses() {
        try {
            return ClientUtils.parseAndValidateAddresses(
                    config.getList(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG),
                    config.getString(CommonClientConfigs.CLIENT_DNS_LOOKUP_CONFIG));
        } catch (ConfigException e) {
            // They did resolve when the producer was initialised.
            throw new DisconnectException(e.getMessage(), e);
        }
    }

    /** There is always somebody to ask, or whoever asks has been told that there is not. */
    @Override
    public boolean isBootstrapped() {
        return true;
    }
}
