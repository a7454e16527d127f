package io.github.kafkatxn.cluster.internal.api;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import io.github.kafkatxn.cluster.internal.wire.VersionRange;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.OffsetFetchRequestData;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetFetchRequest;
import org.apache.kafka.common.requests.OffsetFetchResponse;

/**
 * OffsetFetch (key 9).
 *
 * <p><b>Versions</b>: 1-10. From 2 on null topics ask for all, from 7 on only stable offsets can be asked for, from 8
 * on there may be many groups, 10 names topics by their ids.
 *
 * <p><b>Behaviour</b>: DESCRIBE on the group, else GROUP_AUTHORIZATION_FAILED. Each topic: unknown id UNKNOWN_TOPIC_ID,
 * no DESCRIBE TOPIC_AUTHORIZATION_FAILED. A group or partition that has no offset is no error: -1. Where only stable
 * offsets are wanted, a partition with a pending one answers UNSTABLE_OFFSET_COMMIT. An offset stored under another
 * topic id does not count. In an answer with all offsets, topics that may not be described are left out.
 *
 * <p><b>Left out</b>: nothing.
 */
final class OffsetFetchHandler implements ApiHandler<OffsetFetchRequestData> {
    private static final int MANY_GROUPS_SINCE = 8;
    private static final int TOPIC_IDS_SINCE = 10;

    private final NodeContext node;

    OffsetFetchHandler(NodeContext node) {
        this.node = node;
    }

    @Override
    public short key() {
        return ApiMessageType.OFFSET_FETCH.apiKey();
    }

    @Override
    public VersionRange versions() {
        return VersionRange.allOf(ApiMessageType.OFFSET_FETCH);
    }

    @Override
    public void handle(Call<OffsetFetchRequestData> call) {
        List<OffsetFetchResponseGroup> groups = new ArrayList<>();
        for (OffsetFetchRequestGroup group : groupsOf(call)) {
            groups.add(fetch(call, group));
        }
        call.answer(
                new OffsetFetchResponse.Builder(groups).build(call.version()).data());
    }

    private static List<OffsetFetchRequestGroup> groupsOf(Call<OffsetFetchRequestData> call) {
        OffsetFetchRequestData request = call.request();
        if (call.version() >= MANY_GROUPS_SINCE) {
            return request.groups();
        }
        OffsetFetchRequestGroup group = new OffsetFetchRequestGroup().setGroupId(request.groupId());
        if (request.topics() == null) {
            return List.of(group.setTopics(null));
        }
        request.topics()
                .forEach(topic -> group.topics()
                        .add(new OffsetFetchRequestTopics()
                                .setName(topic.name())
                                .setPartitionIndexes(topic.partitionIndexes())));
        return List.of(group);
    }

    private OffsetFetchResponseGroup fetch(Call<OffsetFetchRequestData> call, OffsetFetchRequestGroup group) {
        if (!GroupRequests.mayGroup(node, call, AclOperation.DESCRIBE, group.groupId())) {
            return OffsetFetchResponse.groupError(group, Errors.GROUP_AUTHORIZATION_FAILED, call.version());
        }
        try {
            return OffsetFetchRequest.requestAllOffsets(group) ? fetchAll(call, group) : fetchSome(call, group);
        } catch (ApiException e) {
            return OffsetFetchResponse.groupError(group, Errors.forException(e), call.version());
        }
    }

    private OffsetFetchResponseGroup ask(Call<OffsetFetchRequestData> call, OffsetFetchRequestGroup group) {
        return node.groups()
                .shardOf(group.groupId())
                .offsets()
                .fetch(group, call.request().requireStable());
    }

    private OffsetFetchResponseGroup fetchAll(Call<OffsetFetchRequestData> call, OffsetFetchRequestGroup group) {
        OffsetFetchResponseGroup response = ask(call, group);
        ClusterImage image = node.image().get();
        response.topics().removeIf(topic -> !GroupRequests.mayTopic(node, call, AclOperation.DESCRIBE, topic.name()));
        if (call.version() >= TOPIC_IDS_SINCE) {
            response.topics().removeIf(topic -> image.topic(topic.topicId()).isEmpty());
        }
        return response;
    }

    private OffsetFetchResponseGroup fetchSome(Call<OffsetFetchRequestData> call, OffsetFetchRequestGroup group) {
        ClusterImage image = node.image().get();
        OffsetFetchRequestGroup good = group.duplicate().setTopics(new ArrayList<>());
        List<OffsetFetchResponseTopics> bad = new ArrayList<>();
        for (OffsetFetchRequestTopics topic : group.topics()) {
            boolean byId = call.version() >= TOPIC_IDS_SINCE;
            if (byId) {
                topic.setName(image.topic(topic.topicId()).map(TopicInfo::name).orElse(""));
            }
            if (byId && topic.name().isEmpty()) {
                bad.add(failed(topic, Errors.UNKNOWN_TOPIC_ID));
            } else if (!GroupRequests.mayTopic(node, call, AclOperation.DESCRIBE, topic.name())) {
                bad.add(failed(topic, Errors.TOPIC_AUTHORIZATION_FAILED));
            } else {
                good.topics().add(topic);
            }
        }
        OffsetFetchResponseGroup response = ask(call, good);
        response.topics().addAll(bad);
        return response;
    }

    private static OffsetFetchResponseTopics failed(OffsetFetchRequestTopics topic, Errors error) {
        OffsetFetchResponseTopics answered =
                new OffsetFetchResponseTopics().setName(topic.name()).setTopicId(topic.topicId());
        topic.partitionIndexes()
                .forEach(partition -> answered.partitions()
                        .add(new OffsetFetchResponsePartitions()
                                .setPartitionIndex(partition)
                                .setCommittedOffset(-1)
                                .setCommittedLeaderEpoch(-1)
                                .setMetadata("")
                                .setErrorCode(error.code())));
        return answered;
    }
}
