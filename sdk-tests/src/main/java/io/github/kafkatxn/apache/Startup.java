package io.github.kafkatxn.apache;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Waits for processes to say that they are up, and says why when they do not. */
final class Startup {
    /** Makes sure of the line looked for, whatever other levels are set. */
    static final String LOG_OPTION = "-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info";

    private static final String UP = "Kafka Server started";
    private static final String PORT_TAKEN = "Address already in use";
    private static final Duration POLL = Duration.ofMillis(50);

    private Startup() {}

    /** A broker could not listen because somebody else does. */
    static final class PortTaken extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        PortTaken(String message) {
            super(message);
        }
    }

    /** Waits for all of them. A broker prints the line when the controller has let it into the cluster. */
    static void await(Collection<NodeProcess> nodes, Deadline deadline) {
        List<NodeProcess> waiting = new ArrayList<>(nodes);
        while (!waiting.isEmpty()) {
            nodes.forEach(Startup::requireAlive);
            waiting.removeIf(node -> node.log().contains(UP));
            if (waiting.isEmpty()) {
                return;
            }
            if (deadline.passed()) {
                NodeProcess late = waiting.get(0);
                throw new IllegalStateException(report(late, "is not up after " + deadline.timeout()));
            }
            waiting.get(0).awaitEnd(POLL);
        }
    }

    private static void requireAlive(NodeProcess node) {
        if (node.isAlive()) {
            return;
        }
        if (node.log().contains(PORT_TAKEN)) {
            throw new PortTaken(report(node, "found its port taken"));
        }
        throw new IllegalStateException(report(node, "ended before it was up"));
    }

    private static String report(NodeProcess node, String what) {
        return node + " " + what + "; " + node.log().file() + " ends with\n"
                + node.log().tail();
    }
}
