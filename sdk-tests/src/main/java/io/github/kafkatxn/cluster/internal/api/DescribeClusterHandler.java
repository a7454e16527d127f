package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.NodeInfo;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.DescribeClusterRequestData;
import org.apache.kafka.common.message.DescribeClusterResponseData;
import org.apache.kafka.common.message.DescribeClusterResponseData.DescribeClusterBroker;
import org.apache.kafka.common.protocol.Errors;

/**
 * DescribeCluster (key 60).
 *
 * <p><b>Versions</b>: 0-2.
 *
 * <p><b>Behaviour</b>: the nodes that are up, as this node knows them.
 *
 * <p><b>Left out</b>: the endpoints of controllers (MISMATCHED_ENDPOINT_TYPE); fenced brokers, of which there are none.
 */
final class DescribeClusterHandler implements ApiHandler<DescribeClusterRequestData> {
    private static final byte BROKERS = 1;
    private static final byte CONTROLLERS = 2;

    private final NodeContext node;
    private final Rights rights;

    DescribeClusterHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.DESCRIBE_CLUSTER.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.DESCRIBE_CLUSTER);
    }

    @Override
    public void handle(Call<DescribeClusterRequestData> call) {
        DescribeClusterRequestData request = call.request();
        DescribeClusterResponseData response = new DescribeClusterResponseData();
        if (request.endpointType() != BROKERS) {
            Errors error = request.endpointType() == CONTROLLERS
                    ? Errors.MISMATCHED_ENDPOINT_TYPE
                    : Errors.UNSUPPORTED_ENDPOINT_TYPE;
            call.answer(response.setErrorCode(error.code())
                    .setErrorMessage("only the endpoints of brokers are known to a broker"));
            return;
        }
        ClusterImage image = node.image().get();
        response.setClusterId(image.clusterId());
        for (NodeInfo info : image.nodes()) {
            if (info.alive()) {
                response.brokers()
                        .add(new DescribeClusterBroker()
                                .setBrokerId(info.id())
                                .setHost(info.host())
                                .setPort(info.port()));
                response.setControllerId(response.controllerId() < 0 ? info.id() : response.controllerId());
            }
        }
        if (request.includeClusterAuthorizedOperations()) {
            response.setClusterAuthorizedOperations(rights.clusterOperations(call));
        }
        call.answer(response);
    }
}
