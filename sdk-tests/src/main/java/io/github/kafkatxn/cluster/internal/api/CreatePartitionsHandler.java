package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.Controller;
import io.github.kafkatxn.cluster.internal.metadata.NodeInfo;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsAssignment;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreatePartitionsResponseData.CreatePartitionsTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.resource.ResourceType;

/**
 * CreatePartitions (key 37).
 *
 * <p><b>Versions</b>: 0-3.
 *
 * <p><b>Behaviour</b>: a result per topic; the count is that of all partitions afterwards. Replicas as many as the
 * first partition has, assigned by hand or spread over the nodes that are up. Needs ALTER on the topic.
 *
 * <p><b>Left out</b>: quotas of the controller.
 */
final class CreatePartitionsHandler implements ApiHandler<CreatePartitionsRequestData> {
    private final NodeContext node;
    private final Rights rights;

    CreatePartitionsHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.CREATE_PARTITIONS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.CREATE_PARTITIONS);
    }

    @Override
    public void handle(Call<CreatePartitionsRequestData> call) {
        CreatePartitionsRequestData request = call.request();
        Map<String, ApiError> refused = new LinkedHashMap<>();
        List<CreatePartitionsTopic> good = new ArrayList<>();
        for (CreatePartitionsTopic topic : request.topics()) {
            if (request.topics().findAll(topic.name()).size() > 1) {
                refused.put(topic.name(), new ApiError(Errors.INVALID_REQUEST, "Duplicate topic name."));
            } else if (!rights.allows(call, AclOperation.ALTER, ResourceType.TOPIC, topic.name())) {
                refused.put(topic.name(), new ApiError(Errors.TOPIC_AUTHORIZATION_FAILED));
            } else {
                good.add(topic);
            }
        }
        CreatePartitionsResponseData response = new CreatePartitionsResponseData();
        refused.forEach((name, error) -> response.results().add(result(name, error)));
        node.controller()
                .submit(
                        controller -> good.stream()
                                .map(topic -> result(topic.name(), add(controller, topic, request.validateOnly())))
                                .toList(),
                        call.guarded(results -> {
                            response.results().addAll(results);
                            call.answer(response);
                        }));
    }

    /** On the controller's thread. */
    private static ApiError add(Controller controller, CreatePartitionsTopic wanted, boolean validateOnly) {
        Optional<TopicInfo> topic = controller.image().topic(wanted.name());
        if (topic.isEmpty()) {
            return new ApiError(Errors.UNKNOWN_TOPIC_OR_PARTITION);
        }
        int now = topic.get().partitions().size();
        int more = wanted.count() - now;
        if (more == 0) {
            return new ApiError(Errors.INVALID_PARTITIONS, "Topic already has " + now + " partition(s).");
        }
        if (more < 0) {
            return new ApiError(
                    Errors.INVALID_PARTITIONS,
                    "The topic " + wanted.name() + " currently has " + now + " partition(s); " + wanted.count()
                            + " would not be an increase.");
        }
        int factor = topic.get().partitions().get(0).replicas().size();
        List<List<Integer>> replicas = new ArrayList<>();
        ApiError refusal = wanted.assignments() == null
                ? spread(controller, more, factor, replicas)
                : assign(controller.image(), wanted.assignments(), now, more, factor, replicas);
        if (refusal.isSuccess() && !validateOnly) {
            controller.addPartitions(wanted.name(), replicas);
        }
        return refusal;
    }

    private static ApiError spread(Controller controller, int more, int factor, List<List<Integer>> replicas) {
        long alive = controller.image().nodes().stream().filter(NodeInfo::alive).count();
        if (factor > alive) {
            return new ApiError(
                    Errors.INVALID_REPLICATION_FACTOR,
                    "Unable to replicate the partition " + factor + " time(s): only " + alive + " node(s) are up.");
        }
        for (int i = 0; i < more; i++) {
            replicas.add(controller.spread(factor));
        }
        return ApiError.NONE;
    }

    private static ApiError assign(
            ClusterImage image,
            List<CreatePartitionsAssignment> assignments,
            int first,
            int more,
            int factor,
            List<List<Integer>> replicas) {
        if (assignments.size() != more) {
            return new ApiError(
                    Errors.INVALID_REPLICA_ASSIGNMENT,
                    "Attempted to add " + more + " additional partition(s), but only " + assignments.size()
                            + " assignment(s) were specified.");
        }
        for (CreatePartitionsAssignment assignment : assignments) {
            Optional<String> wrong =
                    ReplicaAssignment.refusal(image, first + replicas.size(), assignment.brokerIds(), factor);
            if (wrong.isPresent()) {
                return new ApiError(Errors.INVALID_REPLICA_ASSIGNMENT, wrong.get());
            }
            replicas.add(assignment.brokerIds());
        }
        return ApiError.NONE;
    }

    private static CreatePartitionsTopicResult result(String name, ApiError error) {
        return new CreatePartitionsTopicResult()
                .setName(name)
                .setErrorCode(error.error().code())
                .setErrorMessage(error.message());
    }
}
