package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.Controller;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.DeleteAclsRequestData;
import org.apache.kafka.common.message.DeleteAclsResponseData;
import org.apache.kafka.common.message.DeleteAclsResponseData.DeleteAclsFilterResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.DeleteAclsResponse;

/**
 * DeleteAcls (key 31).
 *
 * <p><b>Versions</b>: 1-3.
 *
 * <p><b>Behaviour</b>: for each filter the ACLs that it has deleted; one that several filters match belongs to the
 * first. Needs ALTER on the cluster. SECURITY_DISABLED without an authorizer.
 *
 * <p><b>Left out</b>: nothing.
 */
final class DeleteAclsHandler implements ApiHandler<DeleteAclsRequestData> {
    private final NodeContext node;
    private final Rights rights;

    DeleteAclsHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.DELETE_ACLS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.DELETE_ACLS);
    }

    @Override
    public void handle(Call<DeleteAclsRequestData> call) {
        Errors refusal = AclRequests.refusal(node, rights, call, AclOperation.ALTER);
        if (refusal != Errors.NONE) {
            call.answer(new DeleteAclsResponseData()
                    .setFilterResults(call.request().filters().stream()
                            .map(filter -> new DeleteAclsFilterResult()
                                    .setErrorCode(refusal.code())
                                    .setErrorMessage(AclRequests.message(refusal)))
                            .toList()));
            return;
        }
        List<AclBindingFilter> filters =
                call.request().filters().stream().map(AclRequests::filter).toList();
        node.controller()
                .submit(
                        controller -> delete(controller, filters),
                        results -> call.answer(new DeleteAclsResponseData().setFilterResults(results)));
    }

    /** On the controller's thread. */
    private static List<DeleteAclsFilterResult> delete(Controller controller, List<AclBindingFilter> filters) {
        Set<AclBinding> left = new HashSet<>(controller.image().acls());
        List<DeleteAclsFilterResult> results = filters.stream()
                .map(filter -> {
                    List<AclBinding> matching =
                            left.stream().filter(filter::matches).toList();
                    matching.forEach(left::remove);
                    return new DeleteAclsFilterResult()
                            .setMatchingAcls(matching.stream()
                                    .map(acl -> DeleteAclsResponse.matchingAcl(acl, ApiError.NONE))
                                    .toList());
                })
                .toList();
        controller.setAcls(left);
        return results;
    }
}
