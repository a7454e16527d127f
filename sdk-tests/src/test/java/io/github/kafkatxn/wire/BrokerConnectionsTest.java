package io.github.kafkatxn.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.kafkatxn.cluster.ClusterSettings;
import io.github.kafkatxn.cluster.ReferenceCluster;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.cluster.junit.WithKafka;
import io.github.kafkatxn.internal.wire.BrokerConnections;
import io.github.kafkatxn.internal.wire.Deadline;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.plain.PlainLoginModule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests over connections that other calls use, that have to log in again, or cannot be made. */
@Timeout(60)
@WithKafka
class BrokerConnectionsTest {
    private static final Duration PATIENT = Duration.ofSeconds(30);

    /** Its coordinator may be another one by now: to wait until its name resolves again helps nobody. */
    @Test
    void aNodeThatNoConnectionCanEvenBeTriedToIsToldAtOnce(ReferenceCluster cluster) {
        ask(
                cluster,
                Map.of(),
                connections -> assertThatThrownBy(
                                () -> ask(connections, new Node(7, "255.255.255.255", 9092), "in", PATIENT))
                        .isInstanceOf(DisconnectException.class)
                        .hasMessageContaining("cannot be reached"));
    }

    @Test
    @WithKafka(nodes = 2)
    void aCallThatIsNotAnsweredHoldsUpNoOtherOne(ReferenceCluster cluster) {
        ask(cluster, Map.of(), connections -> {
            List<Node> nodes = nodes(connections);
            nodes.forEach(node -> ask(connections, node, "in", PATIENT));
            FaultRule held = cluster.faults().on(ApiKeys.METADATA).hold();
            CompletableFuture<Void> waiting =
                    CompletableFuture.runAsync(() -> ask(connections, nodes.get(0), "in", PATIENT));
            held.awaitHit();
            ask(connections, nodes.get(1), "in", PATIENT);

            assertThat(waiting).isNotDone();
            held.release();
            waiting.join();
        });
    }

    /** It takes as long as it likes, and comes again when the session ends. */
    @Test
    void whoeverWaitsForAnAnswerDoesNotLogIn() {
        ClusterSettings settings =
                ClusterSettings.builder().superUser("user", "secret").build();
        Map<String, Object> login = Map.of(
                "security.protocol",
                "SASL_PLAINTEXT",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                PlainLoginModule.class.getName() + " required username=\"user\" password=\"secret\";",
                "sasl.client.callback.handler.class",
                LoginThreads.class.getName());
        try (ReferenceCluster cluster = ReferenceCluster.start(settings)) {
            FaultRule shortSession = cluster.faults()
                    .on(ApiKeys.SASL_AUTHENTICATE)
                    .clientId("producer-id")
                    .onCall(2)
                    .changeAnswer(SaslAuthenticateResponseData.class, answer -> answer.setSessionLifetimeMs(300));
            ask(cluster, login, connections -> {
                Node node = node(connections);
                // To log in again, once the session is over, is refused by this cluster.
                assertThatThrownBy(() -> {
                            while (true) {
                                ask(connections, node, "in", PATIENT);
                            }
                        })
                        .isInstanceOf(RuntimeException.class);
            });

            assertThat(shortSession.hits()).isOne();
            assertThat(LoginThreads.SEEN).hasSizeGreaterThan(2).containsOnly(BrokerConnections.THREAD + "producer-id");
        }
    }

    /** Remembers who has logged in. */
    public static final class LoginThreads implements AuthenticateCallbackHandler {
        static final ConcurrentLinkedQueue<String> SEEN = new ConcurrentLinkedQueue<>();

        @Override
        public void configure(Map<String, ?> configs, String mechanism, List<AppConfigurationEntry> entries) {}

        @Override
        public void handle(Callback[] callbacks) {
            SEEN.add(Thread.currentThread().getName());
            for (Callback callback : callbacks) {
                if (callback instanceof NameCallback name) {
                    name.setName("user");
                } else if (callback instanceof PasswordCallback password) {
                    password.setPassword("secret".toCharArray());
                }
            }
        }

        @Override
        public void close() {}
    }

    private static void ask(
            ReferenceCluster cluster, Map<String, Object> properties, Consumer<BrokerConnections> questions) {
        Map<String, Object> all = new HashMap<>(properties);
        all.put("bootstrap.servers", cluster.bootstrapServers());
        all.put("transactional.id", "id");
        BrokerConnections connections = BrokerConnections.open(BrokerConnections.config(all));
        try {
            questions.accept(connections);
        } finally {
            connections.close(Deadline.in(PATIENT));
        }
    }

    private static Node node(BrokerConnections connections) {
        return nodes(connections).get(0);
    }

    private static List<Node> nodes(BrokerConnections connections) {
        MetadataRequest.Builder question = new MetadataRequest.Builder(List.of("in"), false);
        MetadataResponse answer = (MetadataResponse)
                connections.ask(null, question, Deadline.in(PATIENT)).responseBody();
        return List.copyOf(answer.brokers());
    }

    private static void ask(BrokerConnections connections, Node node, String topic, Duration limit) {
        connections.ask(node, new MetadataRequest.Builder(List.of(topic), false), Deadline.in(limit));
    }
}
