package io.github.kafkatxn.differential;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.message.CreateAclsRequestData;
import org.apache.kafka.common.message.CreateAclsRequestData.AclCreation;
import org.apache.kafka.common.message.CreateAclsResponseData;
import org.apache.kafka.common.message.DeleteAclsRequestData;
import org.apache.kafka.common.message.DeleteAclsRequestData.DeleteAclsFilter;
import org.apache.kafka.common.message.DeleteAclsResponseData;
import org.apache.kafka.common.message.DeleteAclsResponseData.DeleteAclsFilterResult;
import org.apache.kafka.common.message.DescribeAclsRequestData;
import org.apache.kafka.common.message.DescribeAclsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DeleteAclsRequest;
import org.apache.kafka.common.requests.DescribeAclsRequest;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.resource.ResourceType;
import org.awaitility.Awaitility;

/**
 * Requests about rights: {@code Allow v3 READ TOPIC as=owner} gives the guest one, {@code to=visitor} the visitor;
 * {@code name=x} where the resource is not the one that other requests are about; {@code DENY} takes it away with
 * another ACL, {@code Forget} by the end of the ACL. The request after it is made when the broker goes by it.
 */
final class RightsRequests {
    static final String OWNER = "owner";
    static final String VISITOR = "visitor";

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int DESCRIBE = 3;
    private static final List<ResourceType> TYPES =
            List.of(ResourceType.TOPIC, ResourceType.GROUP, ResourceType.TRANSACTIONAL_ID, ResourceType.CLUSTER);

    private RightsRequests() {}

    /** An ACL. */
    private record Right(
            String principal,
            AclOperation operation,
            AclPermissionType permission,
            ResourceType type,
            PatternType pattern,
            String name) {

        static Right of(Step step, Names names) {
            PatternType pattern = step.has("PREFIXED") ? PatternType.PREFIXED : PatternType.LITERAL;
            ResourceType type = TYPES.stream()
                    .filter(each -> step.has(each.name()))
                    .findFirst()
                    .orElseThrow(() -> step.wrong("one of " + TYPES));
            AclOperation operation = Arrays.stream(AclOperation.values())
                    .filter(each -> step.has(each.name()))
                    .findFirst()
                    .orElseThrow(() -> step.wrong("an operation"));
            return new Right(
                    "User:" + step.text("to", Access.GUEST),
                    operation,
                    step.has("DENY") ? AclPermissionType.DENY : AclPermissionType.ALLOW,
                    type,
                    pattern,
                    name(step, names, type));
        }

        private static String name(Step step, Names names, ResourceType type) {
            return switch (type) {
                case TOPIC -> names.of(step.text("name", "topic"));
                case GROUP -> names.of(step.text("name", "g"));
                case TRANSACTIONAL_ID -> names.of(step.text("name", "t"));
                default -> step.text("name", "kafka-cluster");
            };
        }

        AclCreation creation() {
            return new AclCreation()
                    .setPrincipal(principal)
                    .setHost("*")
                    .setOperation(operation.code())
                    .setPermissionType(permission.code())
                    .setResourceType(type.code())
                    .setResourcePatternType(pattern.code())
                    .setResourceName(name);
        }

        DeleteAclsFilter filter() {
            return DeleteAclsRequest.deleteAclsFilter(justThis());
        }

        DescribeAclsRequestData question() {
            return new DescribeAclsRequest.Builder(justThis()).build().data();
        }

        private AclBindingFilter justThis() {
            return new AclBindingFilter(
                    new ResourcePatternFilter(type, name, pattern),
                    new AccessControlEntryFilter(principal, "*", operation, permission));
        }
    }

    static List<Verb> all() {
        String words = "name to DENY PREFIXED "
                + Arrays.stream(AclOperation.values()).map(Enum::name).collect(Collectors.joining(" ")) + " "
                + TYPES.stream().map(Enum::name).collect(Collectors.joining(" "));
        return List.of(
                new Verb("Allow", words, RightsRequests::allow),
                new Verb("Forget", words, RightsRequests::forget),
                new Verb("Rights", words, RightsRequests::describe));
    }

    private static String allow(Step step, Names names, Wire wire) throws IOException {
        Right right = Right.of(step, names);
        Errors error = Errors.forCode(wire.ask(
                        new CreateAclsRequestData().setCreations(List.of(right.creation())),
                        step.version(),
                        CreateAclsResponseData.class)
                .results()
                .get(0)
                .errorCode());
        if (error == Errors.NONE) {
            await(right, wire, true);
        }
        return error.name();
    }

    private static String forget(Step step, Names names, Wire wire) throws IOException {
        Right right = Right.of(step, names);
        DeleteAclsFilterResult answer = wire.ask(
                        new DeleteAclsRequestData().setFilters(List.of(right.filter())),
                        step.version(),
                        DeleteAclsResponseData.class)
                .filterResults()
                .get(0);
        Errors error = Errors.forCode(answer.errorCode());
        if (error == Errors.NONE) {
            await(right, wire, false);
        }
        return error + " " + answer.matchingAcls().size() + " gone";
    }

    private static String describe(Step step, Names names, Wire wire) throws IOException {
        DescribeAclsResponseData answer =
                wire.ask(Right.of(step, names).question(), step.version(), DescribeAclsResponseData.class);
        return Errors.forCode(answer.errorCode()) + " "
                + answer.resources().stream()
                        .mapToInt(resource -> resource.acls().size())
                        .sum()
                + " there";
    }

    /** A broker shows the ACLs that it goes by. */
    private static void await(Right right, Wire wire, boolean there) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> wire.ask(right.question(), DESCRIBE, DescribeAclsResponseData.class)
                                .resources()
                                .isEmpty()
                        != there);
    }
}
