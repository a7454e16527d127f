package io.github.kafkatxn.cluster.internal.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.internal.metadata.Controller;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;

class AclAuthorizerTest {
    private final Controller controller = new Controller("cluster", Map.of());

    @Test
    void nobodyMayDoAnythingWithoutAnAclButSuperUsersMayDoEverything() {
        assertThat(may("User:alice", AclOperation.READ, "orders")).isFalse();
        assertThat(may("User:root", AclOperation.ALTER, "orders")).isTrue();
    }

    @Test
    void aLiteralNameIsThatNameAPrefixIsMoreAndAStarIsAll() {
        give(allow("orders", PatternType.LITERAL, AclOperation.READ));
        assertThat(may("User:alice", AclOperation.READ, "orders")).isTrue();
        assertThat(may("User:alice", AclOperation.READ, "orders-2")).isFalse();
        give(allow("orders", PatternType.PREFIXED, AclOperation.READ));
        assertThat(may("User:alice", AclOperation.READ, "orders-2")).isTrue();
        assertThat(may("User:alice", AclOperation.READ, "order")).isFalse();
        give(allow("*", PatternType.LITERAL, AclOperation.READ));
        assertThat(may("User:alice", AclOperation.READ, "anything")).isTrue();
    }

    @Test
    void readingAndWritingImplyDescribingAndNothingElse() {
        give(allow("orders", PatternType.LITERAL, AclOperation.WRITE));
        assertThat(may("User:alice", AclOperation.DESCRIBE, "orders")).isTrue();
        assertThat(may("User:alice", AclOperation.READ, "orders")).isFalse();
        assertThat(may("User:alice", AclOperation.DESCRIBE_CONFIGS, "orders")).isFalse();
        give(allow("orders", PatternType.LITERAL, AclOperation.ALL));
        assertThat(may("User:alice", AclOperation.DELETE, "orders")).isTrue();
    }

    @Test
    void denyingBeatsAllowingAndDoesNotImplyAnything() {
        give(
                allow("orders", PatternType.LITERAL, AclOperation.ALL),
                binding("User:*", "ord", PatternType.PREFIXED, AclOperation.READ, AclPermissionType.DENY));
        assertThat(may("User:alice", AclOperation.READ, "orders")).isFalse();
        assertThat(may("User:alice", AclOperation.DESCRIBE, "orders")).isTrue();
        assertThat(may("User:alice", AclOperation.WRITE, "orders")).isTrue();
    }

    @Test
    void anAclIsForItsPrincipalAndItsKindOfResource() {
        give(allow("orders", PatternType.LITERAL, AclOperation.READ));
        assertThat(may("User:bob", AclOperation.READ, "orders")).isFalse();
        assertThat(authorizer(Map.of()).allows("User:alice", AclOperation.READ, ResourceType.GROUP, "orders"))
                .isFalse();
    }

    @Test
    void aResourceWithoutAnyAclIsOpenWhereThatIsSet() {
        give(allow("orders", PatternType.LITERAL, AclOperation.READ));
        Authorizer open = authorizer(Map.of("allow.everyone.if.no.acl.found", "true"));
        assertThat(open.allows("User:bob", AclOperation.READ, ResourceType.TOPIC, "payments"))
                .isTrue();
        assertThat(open.allows("User:bob", AclOperation.READ, ResourceType.TOPIC, "orders"))
                .isFalse();
    }

    private boolean may(String principal, AclOperation operation, String topic) {
        return authorizer(Map.of()).allows(principal, operation, ResourceType.TOPIC, topic);
    }

    private Authorizer authorizer(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("super.users", "User:admin; User:root");
        return new AclAuthorizer(controller::image, new NodeSettings(settings));
    }

    private void give(AclBinding... acls) {
        controller.setAcls(Set.of(acls));
    }

    private static AclBinding allow(String name, PatternType pattern, AclOperation operation) {
        return binding("User:alice", name, pattern, operation, AclPermissionType.ALLOW);
    }

    private static AclBinding binding(
            String principal, String name, PatternType pattern, AclOperation operation, AclPermissionType permission) {
        return new AclBinding(
                new ResourcePattern(ResourceType.TOPIC, name, pattern),
                new AccessControlEntry(principal, "*", operation, permission));
    }
}
