package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.Controller;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.resource.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * DeleteTopics (key 20).
 *
 * <p><b>Versions</b>: 1-6; by name, from 6 on by id too.
 *
 * <p><b>Behaviour</b>: a result per topic. The log is gone at once, and with it the topic's id. Needs DELETE on the
 * topic; who may not even see a topic is told nothing of its name.
 *
 * <p><b>Left out</b>: switching deletion off.
 */
final class DeleteTopicsHandler implements ApiHandler<DeleteTopicsRequestData> {
    private static final short BY_ID = 6;

    private final NodeContext node;
    private final Rights rights;

    DeleteTopicsHandler(NodeContext node, Rights rights) {
        this.node = node;
        this.rights = rights;
    }

    @Override
    public short key() {
        return ApiMessageType.DELETE_TOPICS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.DELETE_TOPICS);
    }

    @Override
    public void handle(Call<DeleteTopicsRequestData> call) {
        List<DeleteTopicState> wanted = call.version() >= BY_ID
                ? call.request().topics()
                : call.request().topicNames().stream()
                        .map(name -> new DeleteTopicState().setName(name))
                        .toList();
        ClusterImage image = node.image().get();
        DeleteTopicsResponseData response = new DeleteTopicsResponseData();
        List<TopicInfo> good = new ArrayList<>();
        for (DeleteTopicState topic : wanted) {
            Optional<TopicInfo> found = topic.name() == null ? image.topic(topic.topicId()) : image.topic(topic.name());
            Errors error = refusal(call, topic, found);
            if (error == Errors.NONE) {
                good.add(found.orElseThrow());
            } else {
                response.responses().add(result(topic.name(), topic.topicId(), error));
            }
        }
        node.controller().submit(controller -> delete(controller, good), call.guarded(results -> {
            response.responses().addAll(results);
            call.answer(response);
        }));
    }

    private Errors refusal(Call<?> call, DeleteTopicState wanted, Optional<TopicInfo> found) {
        boolean byName = wanted.name() != null;
        if (byName && !wanted.topicId().equals(Uuid.ZERO_UUID)) {
            return Errors.INVALID_REQUEST;
        }
        if (byName && !rights.allows(call, AclOperation.DELETE, ResourceType.TOPIC, wanted.name())) {
            return Errors.TOPIC_AUTHORIZATION_FAILED;
        }
        if (found.isEmpty()) {
            return byName ? Errors.UNKNOWN_TOPIC_OR_PARTITION : Errors.UNKNOWN_TOPIC_ID;
        }
        String name = found.get().name();
        if (!byName && !rights.allows(call, AclOperation.DELETE, ResourceType.TOPIC, name)) {
            return Errors.TOPIC_AUTHORIZATION_FAILED;
        }
        return Errors.NONE;
    }

    /** On the controller's thread. */
    private static List<DeletableTopicResult> delete(Controller controller, List<TopicInfo> topics) {
        List<DeletableTopicResult> results = new ArrayList<>();
        for (TopicInfo topic : topics) {
            boolean there = controller.image().topic(topic.id()).isPresent();
            if (there) {
                controller.deleteTopic(topic.name());
            }
            results.add(result(topic.name(), topic.id(), there ? Errors.NONE : Errors.UNKNOWN_TOPIC_OR_PARTITION));
        }
        return results;
    }

    private static DeletableTopicResult result(@Nullable String name, Uuid id, Errors error) {
        return new DeletableTopicResult()
                .setName(name)
                .setTopicId(id)
                .setErrorCode(error.code())
                .setErrorMessage(error == Errors.NONE ? null : error.message());
    }
}
