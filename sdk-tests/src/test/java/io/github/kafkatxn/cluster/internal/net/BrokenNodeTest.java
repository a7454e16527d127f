package io.github.kafkatxn.cluster.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.RawClient;
import io.github.kafkatxn.cluster.internal.fault.Exchange;
import io.github.kafkatxn.cluster.internal.metadata.Controller;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.node.ClusterClock;
import io.github.kafkatxn.cluster.internal.txn.TransactionSteps;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.common.message.CreateTopicsRequestData;
import org.apache.kafka.common.protocol.ApiMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node with a bug: what has been asked is not answered, and the connection says so. */
@Timeout(30)
class BrokenNodeTest {

    @Test
    void aFailureWhileARequestIsHandledEndsItsConnection() throws IOException {
        assertThat(isClosedAfter(RawClient.versionsRequest(), 3)).isTrue();
    }

    /** The controller answers on a thread of its own. */
    @Test
    void aFailureAfterTheHandlerHasReturnedEndsItsConnection() throws IOException {
        assertThat(isClosedAfter(new CreateTopicsRequestData(), 7)).isTrue();
    }

    private static boolean isClosedAfter(ApiMessage request, int version) throws IOException {
        try (ControllerThread controller = new ControllerThread(new Controller("broken", Map.of()))) {
            Node.Shared shared = new Node.Shared(
                    controller,
                    ClusterClock.ofTheMachine(),
                    new NodeSettings(Map.of()),
                    BrokenNodeTest::failWithTheAnswer,
                    loop -> TransactionSteps.AT_ONCE);
            Node node = new Node(0, shared, Map.of());
            int port = node.start(0);
            try (RawClient client = new RawClient("localhost:" + port)) {
                client.write(request, version);
                return client.isClosedByNode();
            } finally {
                node.stop();
            }
        }
    }

    private static void failWithTheAnswer(Exchange exchange) {
        exchange.handle(exchange.request().body(), exchange.image(), outcome -> {
            throw new IllegalStateException("a bug");
        });
    }
}
