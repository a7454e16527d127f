package io.github.kafkatxn.differential;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ConsumerGroupDescribeRequestData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.CreatePartitionsRequestData;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.DeleteGroupsRequestData;
import org.apache.kafka.common.message.DeleteGroupsResponseData;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsPartition;
import org.apache.kafka.common.message.DeleteRecordsRequestData.DeleteRecordsTopic;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DescribeGroupsRequestData;
import org.apache.kafka.common.message.DescribeGroupsResponseData;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.message.ListGroupsRequestData;
import org.apache.kafka.common.message.ListGroupsResponseData;
import org.apache.kafka.common.message.ListOffsetsRequestData;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsPartition;
import org.apache.kafka.common.message.ListOffsetsRequestData.ListOffsetsTopic;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochResponseData.EpochEndOffset;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** Requests of administrators: groups and topics, described and changed. */
final class AdminRequests {
    private static final int LISTS_STATES = 4;
    private static final int LISTS_TYPES = 5;

    private AdminRequests() {}

    static List<Verb> all() {
        return List.of(
                new Verb("DescribeGroup", "g", AdminRequests::describeGroup),
                new Verb("DescribeConsumers", "g", AdminRequests::describeConsumers),
                new Verb("ListGroups", "state type", AdminRequests::listGroups),
                new Verb("DeleteGroup", "g", AdminRequests::deleteGroup),
                new Verb("Metadata", "topic stale byId", AdminRequests::metadata),
                new Verb("DescribeTopic", "topic", AdminRequests::describeTopic),
                new Verb("Enlarge", "topic partitions validateOnly", AdminRequests::enlarge),
                new Verb("OffsetAt", "topic p time current committed", AdminRequests::offsetAt),
                new Verb("EpochEnd", "topic p le current", AdminRequests::endOfEpoch),
                new Verb("DeleteRecords", "topic p offset", AdminRequests::deleteRecords));
    }

    private static String describeGroup(Step step, Names names, Wire wire) throws IOException {
        DescribeGroupsRequestData request = new DescribeGroupsRequestData().setGroups(List.of(names.group(step)));
        DescribedGroup group = wire.ask(request, step.version(), DescribeGroupsResponseData.class)
                .groups()
                .get(0);
        return Errors.forCode(group.errorCode()) + " " + group.groupState() + " type:" + group.protocolType()
                + " protocol:" + group.protocolData()
                + group.members().stream()
                        .map(member -> " " + names.memberName(member.memberId()) + ":"
                                + instance(member.groupInstanceId()) + ":" + member.memberMetadata().length + "bytes:"
                                + member.memberAssignment().length + "bytes")
                        .sorted()
                        .collect(Collectors.joining());
    }

    private static String describeConsumers(Step step, Names names, Wire wire) throws IOException {
        ConsumerGroupDescribeRequestData request =
                new ConsumerGroupDescribeRequestData().setGroupIds(List.of(names.group(step)));
        ConsumerGroupDescribeResponseData.DescribedGroup group = wire.ask(
                        request, step.version(), ConsumerGroupDescribeResponseData.class)
                .groups()
                .get(0);
        return Errors.forCode(group.errorCode()) + " " + group.groupState() + " epoch" + group.groupEpoch() + " target"
                + group.assignmentEpoch() + " " + group.assignorName()
                + group.members().stream()
                        .map(member -> " " + names.memberName(member.memberId()) + ":" + instance(member.instanceId())
                                + ":epoch" + member.memberEpoch() + ":type" + member.memberType() + ":topics"
                                + member.subscribedTopicNames().size() + ":"
                                + member.assignment().topicPartitions().stream()
                                        .map(topic -> topic.partitions().toString())
                                        .toList()
                                + member.targetAssignment().topicPartitions().stream()
                                        .map(topic -> topic.partitions().toString())
                                        .toList())
                        .sorted()
                        .collect(Collectors.joining());
    }

    private static String instance(@Nullable String id) {
        return id == null ? "-" : id;
    }

    /** {@code ListGroups v5 state=Stable,Empty type=classic}: of all groups, those of the scenario. */
    private static String listGroups(Step step, Names names, Wire wire) throws IOException {
        ListGroupsRequestData request = new ListGroupsRequestData();
        if (step.version() >= LISTS_STATES) {
            step.value("state").ifPresent(states -> request.setStatesFilter(Arrays.asList(states.split(","))));
        }
        if (step.version() >= LISTS_TYPES) {
            step.value("type").ifPresent(types -> request.setTypesFilter(Arrays.asList(types.split(","))));
        }
        ListGroupsResponseData answer = wire.ask(request, step.version(), ListGroupsResponseData.class);
        return Errors.forCode(answer.errorCode())
                + answer.groups().stream()
                        .filter(group -> names.isOurs(group.groupId()))
                        .map(group -> " " + names.shortName(group.groupId()) + ":" + group.protocolType() + ":"
                                + group.groupState() + ":" + group.groupType())
                        .sorted()
                        .collect(Collectors.joining());
    }

    private static String deleteGroup(Step step, Names names, Wire wire) throws IOException {
        DeleteGroupsRequestData request = new DeleteGroupsRequestData().setGroupsNames(List.of(names.group(step)));
        return Errors.forCode(wire.ask(request, step.version(), DeleteGroupsResponseData.class)
                        .results()
                        .iterator()
                        .next()
                        .errorCode())
                .name();
    }

    /** {@code Metadata v12 topic=x byId}. */
    private static String metadata(Step step, Names names, Wire wire) throws IOException {
        MetadataRequestTopic topic = step.has("byId")
                ? new MetadataRequestTopic().setName(null).setTopicId(names.topicId(step))
                : new MetadataRequestTopic().setName(names.topic(step));
        MetadataRequestData request =
                new MetadataRequestData().setTopics(List.of(topic)).setAllowAutoTopicCreation(step.version() < 4);
        MetadataResponseTopic answer = wire.ask(request, step.version(), MetadataResponseData.class)
                .topics()
                .iterator()
                .next();
        return Errors.forCode(answer.errorCode()) + " "
                + (answer.name() == null ? "no-name" : names.shortName(answer.name()))
                + (answer.topicId().equals(Uuid.ZERO_UUID) ? " no-id" : " id")
                + (answer.isInternal() ? " internal" : "")
                + answer.partitions().stream()
                        .map(partition -> " " + partition.partitionIndex() + ":" + Errors.forCode(partition.errorCode())
                                + ":le" + partition.leaderEpoch() + ":"
                                + partition.replicaNodes().size() + ":"
                                + partition.isrNodes().size() + ":"
                                + partition.offlineReplicas().size())
                        .sorted()
                        .collect(Collectors.joining());
    }

    private static String describeTopic(Step step, Names names, Wire wire) throws IOException {
        DescribeTopicPartitionsRequestData request = new DescribeTopicPartitionsRequestData()
                .setTopics(List.of(new TopicRequest().setName(names.topic(step))));
        DescribeTopicPartitionsResponseTopic answer = wire.ask(
                        request, step.version(), DescribeTopicPartitionsResponseData.class)
                .topics()
                .iterator()
                .next();
        return Errors.forCode(answer.errorCode()) + " " + names.shortName(answer.name())
                + (answer.topicId().equals(Uuid.ZERO_UUID) ? " no-id" : " id") + " of"
                + answer.partitions().size();
    }

    private static String enlarge(Step step, Names names, Wire wire) throws IOException {
        CreatePartitionsRequestData request =
                new CreatePartitionsRequestData().setTimeoutMs(10_000).setValidateOnly(step.has("validateOnly"));
        request.topics()
                .add(new CreatePartitionsTopic()
                        .setName(names.topic(step))
                        .setCount(step.number("partitions", 1))
                        .setAssignments(null));
        return Errors.forCode(wire.ask(request, step.version(), CreatePartitionsResponseData.class)
                        .results()
                        .get(0)
                        .errorCode())
                .name();
    }

    /** {@code OffsetAt v8 p0 time=-3 current=0 committed}: the epoch is the one the client knows. */
    private static String offsetAt(Step step, Names names, Wire wire) throws IOException {
        ListOffsetsRequestData request = new ListOffsetsRequestData()
                .setReplicaId(-1)
                .setIsolationLevel((byte) (step.has("committed") ? 1 : 0))
                .setTopics(List.of(new ListOffsetsTopic()
                        .setName(names.topic(step))
                        .setPartitions(List.of(new ListOffsetsPartition()
                                .setPartitionIndex(step.partitions().get(0))
                                .setTimestamp(Long.parseLong(step.text("time", "-1")))
                                .setCurrentLeaderEpoch(step.number("current", -1))))));
        ListOffsetsPartitionResponse answer = wire.ask(request, step.version(), ListOffsetsResponseData.class)
                .topics()
                .get(0)
                .partitions()
                .get(0);
        return Errors.forCode(answer.errorCode()) + " @" + answer.offset() + " le" + answer.leaderEpoch()
                + (answer.timestamp() < 0 ? " never" : " sometime");
    }

    /** {@code EpochEnd v4 p0 le=0 current=-1}: the epoch that is asked for, and the one the client knows. */
    private static String endOfEpoch(Step step, Names names, Wire wire) throws IOException {
        OffsetForLeaderEpochRequestData request = new OffsetForLeaderEpochRequestData().setReplicaId(-1);
        request.topics()
                .add(new OffsetForLeaderTopic()
                        .setTopic(names.topic(step))
                        .setPartitions(List.of(new OffsetForLeaderPartition()
                                .setPartition(step.partitions().get(0))
                                .setLeaderEpoch(step.number("le", 0))
                                .setCurrentLeaderEpoch(step.number("current", -1)))));
        EpochEndOffset answer = wire.ask(request, step.version(), OffsetForLeaderEpochResponseData.class)
                .topics()
                .iterator()
                .next()
                .partitions()
                .get(0);
        return Errors.forCode(answer.errorCode()) + " le" + answer.leaderEpoch() + " @" + answer.endOffset();
    }

    private static String deleteRecords(Step step, Names names, Wire wire) throws IOException {
        DeleteRecordsRequestData request = new DeleteRecordsRequestData()
                .setTimeoutMs(10_000)
                .setTopics(List.of(new DeleteRecordsTopic()
                        .setName(names.topic(step))
                        .setPartitions(List.of(new DeleteRecordsPartition()
                                .setPartitionIndex(step.partitions().get(0))
                                .setOffset(step.number("offset", -1))))));
        DeleteRecordsResponseData.DeleteRecordsPartitionResult answer = wire.ask(
                        request, step.version(), DeleteRecordsResponseData.class)
                .topics()
                .iterator()
                .next()
                .partitions()
                .iterator()
                .next();
        return Errors.forCode(answer.errorCode()) + " @" + answer.lowWatermark();
    }
}
