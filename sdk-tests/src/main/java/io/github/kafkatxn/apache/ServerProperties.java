package io.github.kafkatxn.apache;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The properties file of a node: what tests need, then what the settings say, then where the node is. */
final class ServerProperties {
    private static final String CLIENT = "CLIENT";
    private static final String CONTROLLER = "CONTROLLER";
    private static final String RELAYED = "RELAYED";

    /** Not for the settings to change. */
    static final Set<String> RESERVED = new TreeSet<>(Set.of(
            "advertised.listeners",
            "controller.listener.names",
            "controller.quorum.bootstrap.servers",
            "controller.quorum.voters",
            "inter.broker.listener.name",
            "listeners",
            "log.dir",
            "log.dirs",
            "metadata.log.dir",
            "node.id",
            "process.roles"));

    private ServerProperties() {}

    static void write(Path file, Path data, ApacheKafkaSettings settings, NodeAddress node, NodeAddress controller) {
        Map<String, String> properties = new TreeMap<>(TestDefaults.of(settings.brokers()));
        properties.put(
                "listener.security.protocol.map",
                CLIENT + ":PLAINTEXT," + CONTROLLER + ":PLAINTEXT," + RELAYED + ":PLAINTEXT");
        if (settings.authorization()) {
            properties.putAll(new Login(settings.users()).brokerProperties(CLIENT, CONTROLLER));
        }
        properties.putAll(settings.brokerProperties());
        properties.putAll(place(data, node, controller));
        Properties stored = new Properties();
        stored.putAll(properties);
        try (Writer writer = Files.newBufferedWriter(file)) {
            stored.store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    private static Map<String, String> place(Path data, NodeAddress node, NodeAddress controller) {
        List<String> roles = new ArrayList<>();
        List<String> listeners = new ArrayList<>();
        Map<String, String> place = new TreeMap<>();
        if (node.isBroker()) {
            roles.add("broker");
            List<String> advertised = new ArrayList<>(List.of(CLIENT + "://" + node.client()));
            listeners.addAll(advertised);
            if (node.isRelayed()) {
                listeners.add(RELAYED + "://" + node.relayed());
                advertised.add(RELAYED + "://" + node.relay());
            }
            place.put("advertised.listeners", String.join(",", advertised));
            place.put("inter.broker.listener.name", CLIENT);
        }
        if (node.isController()) {
            roles.add("controller");
            listeners.add(CONTROLLER + "://" + node.controller());
        }
        place.put("process.roles", String.join(",", roles));
        place.put("listeners", String.join(",", listeners));
        place.put("controller.listener.names", CONTROLLER);
        place.put("controller.quorum.voters", controller.id() + "@" + controller.controller());
        place.put("node.id", Integer.toString(node.id()));
        place.put("log.dirs", data.toString());
        return place;
    }
}
