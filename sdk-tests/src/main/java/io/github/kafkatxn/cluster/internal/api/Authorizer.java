package io.github.kafkatxn.cluster.internal.api;

import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;

/** Decides who may do what. Called on the threads of all nodes. */
@FunctionalInterface
public interface Authorizer {

    /** Everybody may do everything. */
    Authorizer ALLOW_ALL = (principal, operation, type, name) -> true;

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
}
