package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static io.github.kafkatxn.contract.ClusterProbe.get;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** Gives rights to one principal and takes them, and waits until the brokers go by them. */
final class Acls implements AutoCloseable {
    private final Admin giver;
    private final Admin user;
    private final String principal;

    Acls(Admin giver, Map<String, Object> userConfig, String principal) {
        this.giver = giver;
        this.user = Admin.create(userConfig);
        this.principal = principal;
    }

    void grant(ResourceType type, String name, AclOperation operation) {
        get(giver.createAcls(List.of(binding(type, name, operation))).all());
        eventually("right on " + name).until(() -> mayDescribe(type, name));
    }

    void revoke(ResourceType type, String name, AclOperation operation) {
        get(giver.deleteAcls(List.of(binding(type, name, operation).toFilter())).all());
        eventually("loss of the right on " + name).until(() -> !mayDescribe(type, name));
    }

    @Override
    public void close() {
        user.close(Duration.ofSeconds(5));
    }

    private AclBinding binding(ResourceType type, String name, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(type, name, PatternType.LITERAL),
                new AccessControlEntry(principal, "*", operation, AclPermissionType.ALLOW));
    }

    /** Every right these tests give includes this one. */
    private boolean mayDescribe(ResourceType type, String name) throws InterruptedException, TimeoutException {
        KafkaFuture<?> question = switch (type) {
            case TOPIC -> user.describeTopics(List.of(name)).allTopicNames();
            case GROUP -> user.listConsumerGroupOffsets(name).partitionsToOffsetAndMetadata();
            case TRANSACTIONAL_ID -> user.describeTransactions(List.of(name)).all();
            default -> throw new IllegalArgumentException("no question for " + type);
        };
        try {
            question.get(10, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException e) {
            return !(e.getCause() instanceof AuthorizationException);
        }
    }
}
