package io.github.kafkatxn.cluster.internal.api;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;

/** What the caller of a request may do. */
final class Rights {
    /** The name of the one resource of type CLUSTER. */
    static final String CLUSTER_NAME = "kafka-cluster";

    private static final Map<ResourceType, Set<AclOperation>> OPERATIONS = Map.of(
            ResourceType.TOPIC,
            Set.of(
                    AclOperation.READ,
                    AclOperation.WRITE,
                    AclOperation.CREATE,
                    AclOperation.DESCRIBE,
                    AclOperation.DELETE,
                    AclOperation.ALTER,
                    AclOperation.DESCRIBE_CONFIGS,
                    AclOperation.ALTER_CONFIGS),
            ResourceType.GROUP,
            Set.of(
                    AclOperation.READ,
                    AclOperation.DESCRIBE,
                    AclOperation.DELETE,
                    AclOperation.DESCRIBE_CONFIGS,
                    AclOperation.ALTER_CONFIGS),
            ResourceType.CLUSTER,
            Set.of(
                    AclOperation.CREATE,
                    AclOperation.CLUSTER_ACTION,
                    AclOperation.DESCRIBE_CONFIGS,
                    AclOperation.ALTER_CONFIGS,
                    AclOperation.IDEMPOTENT_WRITE,
                    AclOperation.ALTER,
                    AclOperation.DESCRIBE));

    private final Authorizer authorizer;

    Rights(Authorizer authorizer) {
        this.authorizer = authorizer;
    }

    boolean allows(Call<?> call, AclOperation operation, ResourceType type, String name) {
        return authorizer.allows(call.principal(), operation, type, name);
    }

    /** {@return whether there is a resource of this kind to which the caller may do this} */
    boolean allowsSome(Call<?> call, AclOperation operation, ResourceType type) {
        return authorizer.allowsSome(call.principal(), operation, type);
    }

    /** {@return the operations that the caller may do, a bit for each code} */
    int operations(Call<?> call, ResourceType type, String name) {
        int bits = 0;
        for (AclOperation operation : OPERATIONS.getOrDefault(type, Set.of())) {
            if (allows(call, operation, type, name)) {
                bits |= 1 << operation.code();
            }
        }
        return bits;
    }

    /** {@return the same for the cluster; nothing for who may not see it} */
    int clusterOperations(Call<?> call) {
        return allows(call, AclOperation.DESCRIBE, ResourceType.CLUSTER, CLUSTER_NAME)
                ? operations(call, ResourceType.CLUSTER, CLUSTER_NAME)
                : 0;
    }
}
