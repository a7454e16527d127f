package io.github.kafkatxn.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.requests.MetadataRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What whoever waits for an answer is told when the client below fails. */
@Timeout(10)
class NetworkLoopTest {

    /** The caller goes another way then, and must not take it for a lost connection. */
    @Test
    void aClientOfAnotherVersionIsToldAsIs() throws InterruptedException {
        NoSuchMethodError another = new NoSuchMethodError("poll");
        assertThat(failure(another)).isSameAs(another);
    }

    @Test
    void anyOtherFailureIsALostConnection() throws InterruptedException {
        IllegalStateException wrong = new IllegalStateException("wrong");
        assertThat(failure(wrong)).isInstanceOf(DisconnectException.class).hasCause(wrong);
    }

    private static @Nullable Throwable failure(Throwable ofPoll) throws InterruptedException {
        NetworkLoop loop = new NetworkLoop(
                client(ofPoll),
                new Brokers(
                        BrokerConnections.config(Map.of("bootstrap.servers", "localhost:1", "transactional.id", "id"))),
                1_000);
        Exchange exchange = new Exchange(new Node(0, "localhost", 1), new MetadataRequest.Builder(List.of("t"), false));
        loop.submit(exchange);
        Thread thread = new Thread(loop);
        thread.start();
        Throwable failure = exchange.answer.handle((answer, why) -> why).join();
        loop.close();
        thread.join();
        return failure;
    }

    private static KafkaClient client(Throwable ofPoll) {
        return (KafkaClient) Proxy.newProxyInstance(
                KafkaClient.class.getClassLoader(),
                new Class<?>[] {KafkaClient.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "poll" -> throw ofPoll;
                    case "ready" -> true;
                    default -> null;
                });
    }
}
