package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import java.util.function.Supplier;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;

/** Decides who may do what. Called on the threads of all nodes. */
public interface Authorizer {

    /** Everybody may do everything. */
    Authorizer ALLOW_ALL = new Authorizer() {
        @Override
        public boolean allows(String principal, AclOperation operation, ResourceType type, String name) {
            return true;
        }

        @Override
        public boolean allowsSome(String principal, AclOperation operation, ResourceType type) {
            return true;
        }
    };

    /**
     * The authorizer of a node.
     *
     * @param settings names it in {@code authorizer.class.name}; nobody is asked who they are if that is empty
     * @param image what the node knows of the cluster now
     * @return the authorizer
     */
    static Authorizer of(NodeSettings settings, Supplier<ClusterImage> image) {
        return settings.text("authorizer.class.name").isEmpty() ? ALLOW_ALL : new AclAuthorizer(image, settings);
    }

    /**
     * Whether somebody may do something.
     *
     * @param principal who, such as {@code User:alice}
     * @param operation what
     * @param type to which kind of resource
     * @param name to which one, {@code kafka-cluster} for the cluster
     * @return whether it is allowed
     */
    boolean allows(String principal, AclOperation operation, ResourceType type, String name);

    /**
     * Whether there is a resource to which somebody may do something, or would be if it were created.
     *
     * @param principal who
     * @param operation what
     * @param type to which kind of resource
     * @return whether it is allowed to at least one
     */
    boolean allowsSome(String principal, AclOperation operation, ResourceType type);
}
