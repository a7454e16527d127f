package io.github.kafkatxn.apache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AuthorizationTest {
    private static final String TOPIC = "guarded";

    private final ApacheKafka kafka = ApacheKafka.builder()
            .user("alice", "a;=,'#1")
            .user("bob", "bob-secret")
            .quickStart()
            .start();

    @BeforeAll
    void denyBob() throws Exception {
        TestClients.createTopic(kafka, TOPIC);
        try (Admin admin = Admin.create(kafka.adminConfig())) {
            admin.createAcls(Stream.of(
                                    acl("alice", AclPermissionType.ALLOW, AclOperation.ALL),
                                    acl("bob", AclPermissionType.ALLOW, AclOperation.DESCRIBE),
                                    acl("bob", AclPermissionType.DENY, AclOperation.WRITE))
                            .toList())
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    @AfterAll
    void close() {
        kafka.close();
    }

    @Test
    void allowedUserProduces() throws Exception {
        assertThat(send(kafka.clientConfig("alice"))).isNotNegative();
    }

    @Test
    void deniedUserIsTold() {
        assertThatThrownBy(() -> send(kafka.clientConfig("bob")))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(TopicAuthorizationException.class);
    }

    @Test
    void wrongPasswordIsTold() {
        Map<String, Object> config = kafka.clientConfig("bob");
        config.computeIfPresent(
                "sasl.jaas.config", (name, jaas) -> jaas.toString().replace("bob-secret", "guessed"));

        assertThatThrownBy(() -> send(config)).hasRootCauseInstanceOf(SaslAuthenticationException.class);
    }

    @Test
    void unknownUserIsRefused() {
        assertThatThrownBy(() -> kafka.clientConfig("carol"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("user carol: allowed is one of [admin, alice, bob]");
    }

    private static long send(Map<String, Object> connection) throws Exception {
        Map<String, Object> config = new HashMap<>(connection);
        config.put("enable.idempotence", false);
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            return producer.send(new ProducerRecord<>(TOPIC, "value"))
                    .get(30, TimeUnit.SECONDS)
                    .offset();
        }
    }

    private static AclBinding acl(String user, AclPermissionType permission, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, TOPIC, PatternType.LITERAL),
                new AccessControlEntry("User:" + user, "*", operation, permission));
    }
}
