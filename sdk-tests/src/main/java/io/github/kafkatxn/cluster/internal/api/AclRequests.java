package io.github.kafkatxn.cluster.internal.api;

import java.util.Optional;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.message.DeleteAclsRequestData.DeleteAclsFilter;
import org.apache.kafka.common.message.DescribeAclsRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;

/** What the requests about ACLs have in common. */
final class AclRequests {
    private AclRequests() {}

    /** {@return why the caller may not see or change ACLs, NONE if it may} */
    static Errors refusal(NodeContext node, Rights rights, Call<?> call, AclOperation operation) {
        if (!rights.allows(call, operation, ResourceType.CLUSTER, Rights.CLUSTER_NAME)) {
            return Errors.CLUSTER_AUTHORIZATION_FAILED;
        }
        return node.authorizer() == Authorizer.ALLOW_ALL ? Errors.SECURITY_DISABLED : Errors.NONE;
    }

    static String message(Errors refusal) {
        return refusal == Errors.SECURITY_DISABLED ? "No Authorizer is configured." : refusal.message();
    }

    /** {@return what is wrong with an ACL that is to be made, empty if nothing is} */
    static Optional<String> invalid(AclBinding acl) {
        if (acl.pattern().resourceType() == ResourceType.CLUSTER
                && !acl.pattern().name().equals(Rights.CLUSTER_NAME)) {
            return Optional.of("The only valid name for the CLUSTER resource is " + Rights.CLUSTER_NAME);
        }
        if (acl.pattern().name().isEmpty()) {
            return Optional.of("Invalid empty resource name");
        }
        if (acl.isUnknown() || !acl.pattern().patternType().isSpecific()) {
            return Optional.of("Invalid ACL " + acl);
        }
        return acl.entry().principal().contains(":")
                ? Optional.empty()
                : Optional.of("Could not parse principal from `" + acl.entry().principal() + "` (no colon is present"
                        + " separating the principal type from the principal name)");
    }

    static AclBindingFilter filter(DescribeAclsRequestData request) {
        return new AclBindingFilter(
                new ResourcePatternFilter(
                        ResourceType.fromCode(request.resourceTypeFilter()),
                        request.resourceNameFilter(),
                        PatternType.fromCode(request.patternTypeFilter())),
                new AccessControlEntryFilter(
                        request.principalFilter(),
                        request.hostFilter(),
                        AclOperation.fromCode(request.operation()),
                        AclPermissionType.fromCode(request.permissionType())));
    }

    static AclBindingFilter filter(DeleteAclsFilter filter) {
        return new AclBindingFilter(
                new ResourcePatternFilter(
                        ResourceType.fromCode(filter.resourceTypeFilter()),
                        filter.resourceNameFilter(),
                        PatternType.fromCode(filter.patternTypeFilter())),
                new AccessControlEntryFilter(
                        filter.principalFilter(),
                        filter.hostFilter(),
                        AclOperation.fromCode(filter.operation()),
                        AclPermissionType.fromCode(filter.permissionType())));
    }
}
