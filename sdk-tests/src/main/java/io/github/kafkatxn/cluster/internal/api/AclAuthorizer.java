package io.github.kafkatxn.cluster.internal.api;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Decides by the ACLs that this node knows of, as the StandardAuthorizer of a broker does: super users may do
 * everything; else an ACL that denies beats every ACL that allows, and what no ACL allows is denied. Names are literal,
 * {@code *} for all, or prefixes. All clients come from the loopback address.
 */
final class AclAuthorizer implements Authorizer {
    private static final String ANY = "*";
    /** A name that only those may do something to who may do it to any. */
    private static final String UNLIKELY = "hardcode";

    private static final String ANYBODY = "User:*";
    private static final Set<String> HOSTS = Set.of(ANY, "127.0.0.1");
    private static final Set<AclOperation> IMPLY_DESCRIBE = Set.of(
            AclOperation.DESCRIBE, AclOperation.READ, AclOperation.WRITE, AclOperation.DELETE, AclOperation.ALTER);
    private static final Set<AclOperation> IMPLY_DESCRIBE_CONFIGS =
            Set.of(AclOperation.DESCRIBE_CONFIGS, AclOperation.ALTER_CONFIGS);

    private final Supplier<ClusterImage> image;
    private final Set<String> superUsers;
    private final boolean allowedWithoutAcl;

    AclAuthorizer(Supplier<ClusterImage> image, NodeSettings settings) {
        this.image = image;
        this.superUsers = Arrays.stream(settings.text("super.users").split(";"))
                .map(String::trim)
                .filter(user -> !user.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
        this.allowedWithoutAcl = settings.flag("allow.everyone.if.no.acl.found");
    }

    @Override
    public boolean allows(String principal, AclOperation operation, ResourceType type, String name) {
        if (superUsers.contains(principal)) {
            return true;
        }
        List<AccessControlEntry> entries = image.get().acls().stream()
                .filter(acl -> covers(acl.pattern(), type, name))
                .map(AclBinding::entry)
                .toList();
        if (entries.isEmpty()) {
            return allowedWithoutAcl;
        }
        List<AccessControlEntry> mine =
                entries.stream().filter(entry -> isAbout(entry, principal)).toList();
        return mine.stream().noneMatch(entry -> denies(entry, operation))
                && mine.stream().anyMatch(entry -> allows(entry, operation));
    }

    /** By the ACLs for just this operation or all: what others imply does not count. */
    @Override
    public boolean allowsSome(String principal, AclOperation operation, ResourceType type) {
        if (allows(principal, operation, type, UNLIKELY)) {
            return true;
        }
        Map<AclPermissionType, List<ResourcePattern>> patterns = image.get().acls().stream()
                .filter(acl -> acl.pattern().resourceType() == type && isAbout(acl.entry(), principal))
                .filter(acl -> names(acl.entry(), operation))
                .collect(groupingBy(acl -> acl.entry().permissionType(), mapping(AclBinding::pattern, toList())));
        List<ResourcePattern> denied = patterns.getOrDefault(AclPermissionType.DENY, List.of());
        return patterns.getOrDefault(AclPermissionType.ALLOW, List.of()).stream()
                .anyMatch(allowed -> denied.stream().noneMatch(deny -> takesAllOf(deny, allowed)));
    }

    private static boolean takesAllOf(ResourcePattern deny, ResourcePattern allowed) {
        boolean ofAny = deny.name().equals(ANY) && deny.patternType() == PatternType.LITERAL;
        if (ofAny || deny.patternType() == PatternType.PREFIXED) {
            return ofAny || allowed.name().startsWith(deny.name());
        }
        return allowed.patternType() == PatternType.LITERAL && allowed.name().equals(deny.name());
    }

    private static boolean isAbout(AccessControlEntry entry, String principal) {
        return (entry.principal().equals(principal) || entry.principal().equals(ANYBODY))
                && HOSTS.contains(entry.host());
    }

    private static boolean names(AccessControlEntry entry, AclOperation operation) {
        return entry.operation() == AclOperation.ALL || entry.operation() == operation;
    }

    private static boolean covers(ResourcePattern pattern, ResourceType type, String name) {
        if (pattern.resourceType() != type) {
            return false;
        }
        return pattern.patternType() == PatternType.PREFIXED
                ? name.startsWith(pattern.name())
                : pattern.name().equals(name) || pattern.name().equals(ANY);
    }

    private static boolean denies(AccessControlEntry entry, AclOperation operation) {
        return entry.permissionType() == AclPermissionType.DENY && names(entry, operation);
    }

    private static boolean allows(AccessControlEntry entry, AclOperation operation) {
        if (entry.permissionType() != AclPermissionType.ALLOW) {
            return false;
        }
        if (entry.operation() == AclOperation.ALL) {
            return true;
        }
        return switch (operation) {
            case DESCRIBE -> IMPLY_DESCRIBE.contains(entry.operation());
            case DESCRIBE_CONFIGS -> IMPLY_DESCRIBE_CONFIGS.contains(entry.operation());
            default -> entry.operation() == operation;
        };
    }
}
