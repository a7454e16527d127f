package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.List;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.DescribeAclsRequestData;
import org.apache.kafka.common.message.DescribeAclsResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeAclsResponse;

/**
 * DescribeAcls (key 29).
 *
 * <p><b>Versions</b>: 1-3.
 *
 * <p><b>Behaviour</b>: the ACLs that match, as this node knows them. Needs DESCRIBE on the cluster. SECURITY_DISABLED
 * without an authorizer.
 *
 * <p><b>Left out</b>: nothing.
 */
final class DescribeAclsHandler implements ApiHandler<DescribeAclsRequestData> {
    private final NodeContext node;
    private final Rights rights;

    DescribeAclsHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.DESCRIBE_ACLS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.DESCRIBE_ACLS);
    }

    @Override
    public void handle(Call<DescribeAclsRequestData> call) {
        DescribeAclsResponseData response = new DescribeAclsResponseData();
        Errors refusal = AclRequests.refusal(node, rights, call, AclOperation.DESCRIBE);
        if (refusal != Errors.NONE) {
            call.answer(response.setErrorCode(refusal.code()).setErrorMessage(AclRequests.message(refusal)));
            return;
        }
        List<AclBinding> matching = node.image().get().acls().stream()
                .filter(AclRequests.filter(call.request())::matches)
                .toList();
        call.answer(response.setResources(DescribeAclsResponse.aclsResources(matching)));
    }
}
