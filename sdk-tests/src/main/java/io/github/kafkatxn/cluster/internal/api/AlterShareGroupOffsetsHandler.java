package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.group.AssignedPartition;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.share.SharePartitionKey;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestPartition;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.AlterShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.AlterShareGroupOffsetsResponseData.AlterShareGroupOffsetsResponsePartition;
import org.apache.kafka.common.message.AlterShareGroupOffsetsResponseData.AlterShareGroupOffsetsResponseTopic;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.Errors;

/**
 * AlterShareGroupOffsets (key 91).
 *
 * <p><b>Versions</b>: 0.
 *
 * <p><b>Behaviour</b>: READ on the group and the topics; a group of another type GROUP_ID_NOT_FOUND, with members
 * NON_EMPTY_GROUP; one that is not there comes into being. Each partition begins anew, in the epoch of the group.
 *
 * <p><b>Left out</b>: nothing.
 */
final class AlterShareGroupOffsetsHandler implements ApiHandler<AlterShareGroupOffsetsRequestData> {
    private static final int NONE_BEGINS = -1;

    private final NodeContext node;

    AlterShareGroupOffsetsHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.ALTER_SHARE_GROUP_OFFSETS.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.ALTER_SHARE_GROUP_OFFSETS);
    }

    @Override
    public void handle(Call<AlterShareGroupOffsetsRequestData> call) {
        String group = call.request().groupId();
        Errors error = ShareRequests.checkGroup(node, call, AclOperation.READ, group);
        if (error != Errors.NONE) {
            refuse(call, error);
            return;
        }
        int stateEpoch;
        try {
            // Nobody's group comes to be by a request that may change nothing of it.
            boolean some = call.request().topics().stream().anyMatch(topic -> mayAlter(call, topic));
            stateEpoch = some ? node.groups().shardOf(group).share().restart(group) : NONE_BEGINS;
        } catch (ApiException e) {
            refuse(call, Errors.forException(e));
            return;
        }
        AlterShareGroupOffsetsResponseData response = new AlterShareGroupOffsetsResponseData();
        List<AssignedPartition> begun = new ArrayList<>();
        Gathering gathering = new Gathering(call.guarded(() -> {
            tell(group, begun);
            call.answer(response);
        }));
        call.request().topics().forEach(topic -> alter(call, topic, stateEpoch, response, begun, gathering));
        gathering.arrived();
    }

    private static void refuse(Call<AlterShareGroupOffsetsRequestData> call, Errors error) {
        call.answer(new AlterShareGroupOffsetsResponseData()
                .setErrorCode(error.code())
                .setErrorMessage(error.message()));
    }

    private void alter(
            Call<AlterShareGroupOffsetsRequestData> call,
            AlterShareGroupOffsetsRequestTopic asked,
            int stateEpoch,
            AlterShareGroupOffsetsResponseData response,
            List<AssignedPartition> begun,
            Gathering gathering) {
        Optional<TopicInfo> topic = node.image().get().topic(asked.topicName());
        Uuid topicId = topic.map(TopicInfo::id).orElse(Uuid.ZERO_UUID);
        boolean allowed = mayAlter(call, asked);
        AlterShareGroupOffsetsResponseTopic answered = new AlterShareGroupOffsetsResponseTopic()
                .setTopicName(asked.topicName())
                .setTopicId(topicId);
        response.responses().add(answered);
        for (AlterShareGroupOffsetsRequestPartition partition : asked.partitions()) {
            int index = partition.partitionIndex();
            AlterShareGroupOffsetsResponsePartition result =
                    new AlterShareGroupOffsetsResponsePartition().setPartitionIndex(index);
            answered.partitions().add(result);
            if (!allowed) {
                result.setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code());
            } else if (topic.flatMap(info -> info.partition(index)).isEmpty()) {
                result.setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code())
                        .setErrorMessage(Errors.UNKNOWN_TOPIC_OR_PARTITION.message());
            } else {
                gathering.expect();
                SharePartitionKey key = new SharePartitionKey(call.request().groupId(), topicId, index);
                node.share().states().initialise(key, stateEpoch, partition.startOffset(), error -> {
                    result.setErrorCode(error.code());
                    if (error == Errors.NONE) {
                        begun.add(new AssignedPartition(topicId, index));
                    }
                    gathering.arrived();
                });
            }
        }
    }

    private boolean mayAlter(Call<?> call, AlterShareGroupOffsetsRequestTopic topic) {
        return GroupRequests.mayTopic(node, call, AclOperation.READ, topic.topicName());
    }

    private void tell(String group, List<AssignedPartition> begun) {
        try {
            node.groups().shardOf(group).share().initialised(group, begun);
        } catch (ApiException e) {
            // The coordinator has moved: the next one initialises them with the first member, which changes nothing.
            begun.clear();
        }
    }
}
