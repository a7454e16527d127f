package io.github.kafkatxn.apache;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the nodes of a cluster up: ports, folders, properties, processes. */
final class Launcher {
    /** Of the controller beside two or more brokers; the brokers are 1 to n. */
    static final int CONTROLLER_ID = 100;

    private static final Logger log = LoggerFactory.getLogger(Launcher.class);
    private static final int ATTEMPTS = 3;
    private static final int CONTROLLER_HEAP_MIB = 128;

    private final ApacheKafkaSettings settings;
    private final BrokerJars jars;
    private final IntFunction<List<Integer>> ports;

    /** The ports come from a function of how many are needed. */
    Launcher(ApacheKafkaSettings settings, BrokerJars jars, IntFunction<List<Integer>> ports) {
        this.settings = settings;
        this.jars = jars;
        this.ports = ports;
    }

    /** Starts all nodes and waits until they are up. A port that somebody else took meanwhile costs another attempt. */
    Nodes launch(Deadline deadline) {
        for (int attempt = 1; ; attempt++) {
            Nodes nodes = create();
            try {
                nodes.all().forEach(NodeProcess::launch);
                Startup.await(nodes.all(), deadline);
                return nodes;
            } catch (Startup.PortTaken e) {
                nodes.close();
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                log.info("A port was taken meanwhile, trying others", e);
            } catch (RuntimeException | Error e) {
                nodes.work().keep();
                nodes.close();
                throw e;
            }
        }
    }

    private Nodes create() {
        WorkDirectory work = WorkDirectory.create();
        String clusterId = Uuid.randomUuid().toString();
        Relay relay = new Relay();
        List<NodeAddress> addresses = addresses(relay);
        NodeAddress controller = addresses.get(0);
        return new Nodes(
                work,
                relay,
                addresses.stream()
                        .map(address -> node(work, clusterId, address, controller))
                        .toList());
    }

    /** The controller first, so that it has a start on the brokers that will look for it. */
    private List<NodeAddress> addresses(Relay relay) {
        int brokers = settings.brokers();
        List<Integer> free = ports.apply(1 + brokers + (settings.relayed() ? brokers : 0));
        List<NodeAddress> addresses = new ArrayList<>();
        if (brokers > 1) {
            addresses.add(new NodeAddress(CONTROLLER_ID, 0, free.get(0), 0, 0));
        }
        for (int id = 1; id <= brokers; id++) {
            int relayedPort = settings.relayed() ? free.get(brokers + id) : 0;
            addresses.add(new NodeAddress(
                    id,
                    free.get(id),
                    brokers == 1 ? free.get(0) : 0,
                    relayedPort,
                    settings.relayed() ? relay.front(relayedPort) : 0));
        }
        return addresses;
    }

    private NodeProcess node(WorkDirectory work, String clusterId, NodeAddress address, NodeAddress controller) {
        Path directory = work.createNode(address.id());
        Path properties = directory.resolve("server.properties");
        DataDirectory data = new DataDirectory(directory.resolve("data"));
        ServerProperties.write(properties, data.path(), settings, address, controller);
        List<String> command = new ArrayList<>(jvm(directory, address));
        command.add(BrokerMain.class.getName());
        command.add(properties.toString());
        command.add(data.metaProperties().toString());
        if (address.isController()) {
            command.addAll(data.formatArguments(clusterId, properties, settings.transactionVersion()));
        } else {
            data.formatForBroker(clusterId, address.id());
        }
        return new NodeProcess(address, command, directory, new ProcessLog(directory.resolve("server.log")));
    }

    private List<String> jvm(Path directory, NodeAddress address) {
        int heap = address.isBroker() ? settings.heapMiB() : CONTROLLER_HEAP_MIB;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                jars.folder().resolve("*") + File.pathSeparator + BrokerJars.codeSource(),
                "-Xmx" + heap + "m",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                // A killed JVM leaves nothing outside its folder.
                "-XX:-UsePerfData",
                "-XX:ErrorFile=" + directory.resolve("hs_err.log"),
                "-Djava.io.tmpdir=" + directory.resolve("tmp"),
                "-Djava.awt.headless=true",
                "-Dorg.slf4j.simpleLogger.showDateTime=true",
                "-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS"));
        if (settings.quickStart() || !address.isBroker()) {
            command.add("-XX:TieredStopAtLevel=1");
        }
        command.addAll(settings.jvmOptions());
        command.add(Startup.LOG_OPTION);
        return command;
    }
}
