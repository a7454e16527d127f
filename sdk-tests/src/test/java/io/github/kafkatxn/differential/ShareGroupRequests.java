package io.github.kafkatxn.differential;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestPartition;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.AlterShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsRequestData.DeleteShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestGroup;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponseGroup;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterConfigsResource;
import org.apache.kafka.common.message.IncrementalAlterConfigsRequestData.AlterableConfig;
import org.apache.kafka.common.message.IncrementalAlterConfigsResponseData;
import org.apache.kafka.common.message.ShareGroupDescribeRequestData;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.message.ShareGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ShareGroupHeartbeatResponseData;
import org.apache.kafka.common.protocol.Errors;

/** Requests to the coordinators of share groups, of members and of administrators. */
final class ShareGroupRequests {
    private static final String CONFIGS = "share.auto.offset.reset share.record.lock.duration.ms "
            + "share.delivery.count.limit share.isolation.level share.renew.acknowledge.enable "
            + "share.partition.max.record.locks";

    private ShareGroupRequests() {}

    static List<Verb> all() {
        return List.of(
                new Verb("GroupConfig", "g " + CONFIGS, ShareGroupRequests::configure),
                new Verb("ShareHeartbeat", "g member gen topic rack unsubscribed", ShareGroupRequests::heartbeat),
                new Verb("ShareDescribe", "g", ShareGroupRequests::describe),
                new Verb("ShareOffsets", "g topic p all", ShareGroupRequests::describeOffsets),
                new Verb("AlterShareOffsets", "g topic p offset", ShareGroupRequests::alterOffsets),
                new Verb("DeleteShareOffsets", "g topic", ShareGroupRequests::deleteOffsets));
    }

    /** {@code GroupConfig v1 share.auto.offset.reset=earliest}. */
    private static String configure(Step step, Names names, Wire wire) throws IOException {
        AlterConfigsResource resource = new AlterConfigsResource()
                .setResourceType(ConfigResource.Type.GROUP.id())
                .setResourceName(names.group(step));
        for (String name : CONFIGS.split(" ", -1)) {
            step.value(name)
                    .ifPresent(value -> resource.configs()
                            .add(new AlterableConfig().setName(name).setValue(value)));
        }
        IncrementalAlterConfigsRequestData request = new IncrementalAlterConfigsRequestData();
        request.resources().add(resource);
        return Errors.forCode(wire.ask(request, step.version(), IncrementalAlterConfigsResponseData.class)
                        .responses()
                        .get(0)
                        .errorCode())
                .name();
    }

    /** {@code ShareHeartbeat v1 member=m gen=0 topic=topic}: an epoch of 0 joins, one below 0 leaves. */
    private static String heartbeat(Step step, Names names, Wire wire) throws IOException {
        int epoch = step.number("gen", 0);
        ShareGroupHeartbeatRequestData request = new ShareGroupHeartbeatRequestData()
                .setGroupId(names.group(step))
                .setMemberId(names.member(step))
                .setMemberEpoch(epoch)
                .setRackId(step.value("rack").orElse(null));
        if ((epoch == 0 && !step.has("unsubscribed")) || step.value("topic").isPresent()) {
            request.setSubscribedTopicNames(List.of(names.topic(step)));
        }
        ShareGroupHeartbeatResponseData answer =
                wire.ask(request, step.version(), ShareGroupHeartbeatResponseData.class);
        String words = Errors.forCode(answer.errorCode()) + " epoch" + answer.memberEpoch() + " "
                + (answer.memberId() == null ? "nobody" : answer.memberId());
        return answer.assignment() == null
                ? words
                : words + " has"
                        + answer.assignment().topicPartitions().stream()
                                .flatMap(topic -> topic.partitions().stream())
                                .sorted()
                                .map(partition -> ":" + partition)
                                .collect(Collectors.joining());
    }

    private static String describe(Step step, Names names, Wire wire) throws IOException {
        DescribedGroup group = wire.ask(
                        new ShareGroupDescribeRequestData().setGroupIds(List.of(names.group(step))),
                        step.version(),
                        ShareGroupDescribeResponseData.class)
                .groups()
                .get(0);
        return Errors.forCode(group.errorCode()) + " " + group.groupState() + " epoch" + group.groupEpoch()
                + " assigned" + group.assignmentEpoch() + " " + group.assignorName()
                + group.members().stream()
                        .map(member -> " " + member.memberId() + ":epoch" + member.memberEpoch() + ":rack="
                                + member.rackId() + ":"
                                + member.subscribedTopicNames().stream()
                                        .map(names::shortName)
                                        .toList()
                                + member.assignment().topicPartitions().stream()
                                        .map(topic -> names.shortName(topic.topicName()) + topic.partitions())
                                        .toList())
                        .sorted()
                        .collect(Collectors.joining());
    }

    /** {@code ShareOffsets v1 p0}; {@code all} asks for all partitions. */
    private static String describeOffsets(Step step, Names names, Wire wire) throws IOException {
        DescribeShareGroupOffsetsRequestGroup asked =
                new DescribeShareGroupOffsetsRequestGroup().setGroupId(names.group(step));
        asked.setTopics(
                step.has("all")
                        ? null
                        : List.of(new DescribeShareGroupOffsetsRequestTopic()
                                .setTopicName(names.topic(step))
                                .setPartitions(step.partitions())));
        DescribeShareGroupOffsetsResponseGroup group = wire.ask(
                        new DescribeShareGroupOffsetsRequestData().setGroups(List.of(asked)),
                        step.version(),
                        DescribeShareGroupOffsetsResponseData.class)
                .groups()
                .get(0);
        if (group.errorCode() != 0) {
            return "top:" + Errors.forCode(group.errorCode());
        }
        Map<Integer, String> words = new TreeMap<>();
        group.topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> words.put(
                                partition.partitionIndex(),
                                Errors.forCode(partition.errorCode()) + " @" + partition.startOffset() + " lag="
                                        + partition.lag() + " leader-epoch=" + partition.leaderEpoch())));
        return Words.of(words);
    }

    /** {@code AlterShareOffsets v0 p0 offset=3}. */
    private static String alterOffsets(Step step, Names names, Wire wire) throws IOException {
        AlterShareGroupOffsetsRequestData request =
                new AlterShareGroupOffsetsRequestData().setGroupId(names.group(step));
        request.topics()
                .add(new AlterShareGroupOffsetsRequestTopic()
                        .setTopicName(names.topic(step))
                        .setPartitions(step.partitions().stream()
                                .map(partition -> new AlterShareGroupOffsetsRequestPartition()
                                        .setPartitionIndex(partition)
                                        .setStartOffset(step.number("offset", 0)))
                                .toList()));
        AlterShareGroupOffsetsResponseData answer =
                wire.ask(request, step.version(), AlterShareGroupOffsetsResponseData.class);
        if (answer.errorCode() != 0) {
            return "top:" + Errors.forCode(answer.errorCode());
        }
        Map<Integer, Short> errors = new TreeMap<>();
        answer.responses()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> errors.put(partition.partitionIndex(), partition.errorCode())));
        return Words.errors(errors);
    }

    private static String deleteOffsets(Step step, Names names, Wire wire) throws IOException {
        DeleteShareGroupOffsetsResponseData answer = wire.ask(
                new DeleteShareGroupOffsetsRequestData()
                        .setGroupId(names.group(step))
                        .setTopics(List.of(new DeleteShareGroupOffsetsRequestTopic().setTopicName(names.topic(step)))),
                step.version(),
                DeleteShareGroupOffsetsResponseData.class);
        return answer.errorCode() != 0
                ? "top:" + Errors.forCode(answer.errorCode())
                : answer.responses().stream()
                        .map(topic -> Errors.forCode(topic.errorCode()).name())
                        .collect(Collectors.joining(" "));
    }
}
