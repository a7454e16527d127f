package io.github.kafkatxn.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.requests.MetadataRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What whoever waits for an answer is told when the client below fails. */
@Timeout(10)
class NetworkLoopTest {
    private final List<Object> disconnected = new ArrayList<>();

    /** The caller goes another way then, and must not take it for a lost connection. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClientOfAnotherVersionIsToldAsIs(boolean connected) throws InterruptedException {
        NoSuchMethodError another = new NoSuchMethodError("poll");
        assertThat(failure(another, connected)).isSameAs(another);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anyOtherFailureIsALostConnection(boolean connected) throws InterruptedException {
        IllegalStateException wrong = new IllegalStateException("wrong");
        assertThat(failure(wrong, connected))
                .isInstanceOf(DisconnectException.class)
                .hasCause(wrong);
    }

    /** Else whoever uses the connection next would write it. */
    @Test
    void whatIsGivenUpTakesItsConnectionAlong() {
        Exchange exchange = exchange();
        loop(new IllegalStateException("wrong"), true).isSentHere(exchange, Deadline.in(Duration.ZERO));

        assertThat(exchange.isOver()).isTrue();
        assertThat(disconnected).containsExactly("0");
    }

    /** With the flag set it would not sleep any more, but turn until the end. */
    @Test
    void anInterruptDoesNotKeepTheThreadAwake() throws InterruptedException {
        NetworkLoop loop = loop(new IllegalStateException("wrong"), false);
        Thread thread = new Thread(loop);
        thread.start();
        thread.interrupt();
        while (thread.isInterrupted()) {
            thread.join(1);
        }
        loop.close();
        thread.join();
    }

    /** Even if what has happened cannot be logged. */
    @Test
    void nobodyWaitsForAThreadThatHasEnded() throws InterruptedException {
        NetworkLoop loop = loop(
                new IllegalStateException() {
                    @Override
                    public String getMessage() {
                        throw new IllegalStateException("no message");
                    }
                },
                false);
        Thread thread = new Thread(loop);
        thread.setUncaughtExceptionHandler((ended, why) -> {});
        thread.start();
        Exchange exchange = exchange();
        loop.submit(exchange);
        thread.join();
        Exchange next = exchange();
        loop.submit(next);

        assertThat(exchange.isOver()).isTrue();
        assertThat(next.isOver()).isTrue();
    }

    /** Over a connection that is there nobody else is needed. */
    private @Nullable Throwable failure(Throwable ofPoll, boolean connected) throws InterruptedException {
        NetworkLoop loop = loop(ofPoll, connected);
        Exchange exchange = exchange();
        assertThat(loop.isSentHere(exchange, Deadline.in(Duration.ofSeconds(5))))
                .isEqualTo(connected);
        assertThat(exchange.isOver()).isEqualTo(connected);
        Thread thread = new Thread(loop);
        thread.start();
        if (!connected) {
            loop.submit(exchange);
        }
        Throwable failure = exchange.answer.handle((answer, why) -> why).join();
        loop.close();
        thread.join();
        return failure;
    }

    private NetworkLoop loop(Throwable ofPoll, boolean connected) {
        return new NetworkLoop(
                client(ofPoll, connected),
                new Brokers(
                        BrokerConnections.config(Map.of("bootstrap.servers", "localhost:1", "transactional.id", "id"))),
                1_000,
                true);
    }

    private Exchange exchange() {
        return new Exchange(new Node(0, "localhost", 1), new MetadataRequest.Builder(List.of("t"), false));
    }

    private KafkaClient client(Throwable ofPoll, boolean connected) {
        return (KafkaClient) Proxy.newProxyInstance(
                KafkaClient.class.getClassLoader(),
                new Class<?>[] {KafkaClient.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "poll" -> throw ofPoll;
                    case "ready" -> true;
                    case "isReady" -> connected;
                    case "connectionDelay" -> 0L;
                    case "disconnect" -> {
                        disconnected.add(arguments[0]);
                        yield null;
                    }
                    default -> null;
                });
    }
}
