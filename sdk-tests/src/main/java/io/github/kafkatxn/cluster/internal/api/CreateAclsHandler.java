package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.CreateAclsRequestData;
import org.apache.kafka.common.message.CreateAclsRequestData.AclCreation;
import org.apache.kafka.common.message.CreateAclsResponseData;
import org.apache.kafka.common.message.CreateAclsResponseData.AclCreationResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreateAclsRequest;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/**
 * CreateAcls (key 30).
 *
 * <p><b>Versions</b>: 1-3.
 *
 * <p><b>Behaviour</b>: a result for each ACL in the order of the request; one that is there already is no error. Needs
 * ALTER on the cluster. SECURITY_DISABLED without an authorizer. A request with a part of code 0 closes the connection,
 * and one with a part that only filters may have is an UNKNOWN_SERVER_ERROR as a whole.
 *
 * <p><b>Left out</b>: nothing.
 */
final class CreateAclsHandler implements ApiHandler<CreateAclsRequestData> {
    private final NodeContext node;
    private final Rights rights;

    CreateAclsHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.CREATE_ACLS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.CREATE_ACLS);
    }

    @Override
    public void handle(Call<CreateAclsRequestData> call) {
        CreateAclsResponseData response = new CreateAclsResponseData();
        if (call.request().creations().stream().anyMatch(CreateAclsHandler::isUnknown)) {
            call.disconnect();
            return;
        }
        Errors refusal = AclRequests.refusal(node, rights, call, AclOperation.ALTER);
        if (refusal == Errors.NONE && call.request().creations().stream().anyMatch(CreateAclsHandler::isAny)) {
            refusal = Errors.UNKNOWN_SERVER_ERROR;
        }
        Set<AclBinding> good = new HashSet<>();
        for (AclCreation creation : call.request().creations()) {
            if (refusal != Errors.NONE) {
                response.results().add(refused(refusal, AclRequests.message(refusal)));
                continue;
            }
            AclBinding acl = CreateAclsRequest.aclBinding(creation);
            Optional<String> invalid = AclRequests.invalid(acl);
            if (invalid.isEmpty()) {
                good.add(acl);
            }
            response.results()
                    .add(invalid.map(message -> refused(Errors.INVALID_REQUEST, message))
                            .orElseGet(AclCreationResult::new));
        }
        node.controller()
                .submit(
                        controller -> {
                            good.addAll(controller.image().acls());
                            controller.setAcls(good);
                            return response;
                        },
                        call::answer);
    }

    private static boolean isUnknown(AclCreation acl) {
        return acl.resourceType() == ResourceType.UNKNOWN.code()
                || acl.resourcePatternType() == PatternType.UNKNOWN.code()
                || acl.operation() == AclOperation.UNKNOWN.code()
                || acl.permissionType() == AclPermissionType.UNKNOWN.code();
    }

    /** What only filters may be. */
    private static boolean isAny(AclCreation acl) {
        return acl.resourceType() == ResourceType.ANY.code()
                || acl.resourcePatternType() == PatternType.ANY.code()
                || acl.resourcePatternType() == PatternType.MATCH.code()
                || acl.operation() == AclOperation.ANY.code()
                || acl.permissionType() == AclPermissionType.ANY.code();
    }

    private static AclCreationResult refused(Errors error, String message) {
        return new AclCreationResult().setErrorCode(error.code()).setErrorMessage(message);
    }
}
