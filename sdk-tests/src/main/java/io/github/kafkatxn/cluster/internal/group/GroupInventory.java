package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.TopicInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Assignment;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.Member;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData.TopicPartitions;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroupMember;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData;
import org.apache.kafka.common.protocol.Errors;

/** What an administrator sees of groups, and how they are deleted. */
public final class GroupInventory {
    private static final byte[] NOTHING = {};
    private static final short TELLS_UNKNOWN_SINCE = 6;

    private final GroupStore store;

    GroupInventory(GroupStore store) {
        this.store = store;
    }

    /** {@return all groups as they are now} */
    public List<GroupView> views() {
        return store.groups().stream().map(Group::view).toList();
    }

    /**
     * ListGroups.
     *
     * @param states names of states, in any case; empty for all
     * @param types names of types, in any case; empty for all
     * @return the groups that fit
     */
    public List<ListedGroup> list(Collection<String> states, Collection<String> types) {
        return store.groups().stream()
                .filter(group -> states.isEmpty() || containsIgnoringCase(states, group.stateName()))
                .filter(group -> types.isEmpty() || containsIgnoringCase(types, group.typeName()))
                .map(group -> new ListedGroup()
                        .setGroupId(group.id())
                        .setProtocolType(group.protocolType())
                        .setGroupState(group.stateName())
                        .setGroupType(group.typeName()))
                .toList();
    }

    /**
     * DescribeGroups of one group. One that is not there, or does not speak the classic protocol, is dead.
     *
     * @param id its id
     * @param version the version of the request
     * @return its description
     */
    public DescribedGroup describe(String id, short version) {
        Optional<ClassicGroup> found =
                store.find(id).filter(ClassicGroup.class::isInstance).map(ClassicGroup.class::cast);
        if (found.isEmpty()) {
            DescribedGroup dead = new DescribedGroup().setGroupId(id).setGroupState("Dead");
            return version < TELLS_UNKNOWN_SINCE
                    ? dead
                    : dead.setErrorCode(Errors.GROUP_ID_NOT_FOUND.code())
                            .setErrorMessage("Group " + id + " not found.");
        }
        ClassicGroup group = found.get();
        boolean stable = group.state() == ClassicState.STABLE;
        String protocol = group.protocolName();
        DescribedGroup described = new DescribedGroup()
                .setGroupId(id)
                .setGroupState(group.stateName())
                .setProtocolType(group.protocolType())
                .setProtocolData(stable && protocol != null ? protocol : "");
        group.members()
                .forEach(member -> described
                        .members()
                        .add(new DescribedGroupMember()
                                .setMemberId(member.id())
                                .setGroupInstanceId(member.instanceId())
                                .setClientId(member.clientId())
                                .setClientHost(member.clientHost())
                                .setMemberMetadata(stable ? member.metadata(protocol) : NOTHING)
                                .setMemberAssignment(stable ? member.assignment() : NOTHING)));
        return described;
    }

    /**
     * ConsumerGroupDescribe of one group.
     *
     * @param id its id
     * @return its description
     */
    public ConsumerGroupDescribeResponseData.DescribedGroup describeConsumers(String id) {
        Optional<ConsumerGroup> found =
                store.find(id).filter(ConsumerGroup.class::isInstance).map(ConsumerGroup.class::cast);
        ConsumerGroupDescribeResponseData.DescribedGroup described =
                new ConsumerGroupDescribeResponseData.DescribedGroup().setGroupId(id);
        if (found.isEmpty()) {
            return described
                    .setErrorCode(Errors.GROUP_ID_NOT_FOUND.code())
                    .setErrorMessage("Group " + id + " not found.");
        }
        ConsumerGroup group = found.get();
        group.members().forEach(member -> described.members().add(describe(group, member)));
        return described
                .setGroupState(group.stateName())
                .setGroupEpoch(group.epoch())
                .setAssignmentEpoch(group.targetEpoch())
                .setAssignorName(group.assignor());
    }

    /**
     * ShareGroupDescribe of one group.
     *
     * @param id its id
     * @return its description
     */
    public ShareGroupDescribeResponseData.DescribedGroup describeSharers(String id) {
        Optional<ShareGroup> found =
                store.find(id).filter(ShareGroup.class::isInstance).map(ShareGroup.class::cast);
        ShareGroupDescribeResponseData.DescribedGroup described =
                new ShareGroupDescribeResponseData.DescribedGroup().setGroupId(id);
        if (found.isEmpty()) {
            return described
                    .setErrorCode(Errors.GROUP_ID_NOT_FOUND.code())
                    .setErrorMessage("Group " + id + " not found.");
        }
        ShareGroup group = found.get();
        for (ShareMember member : group.members()) {
            ShareGroupDescribeResponseData.Assignment assigned = new ShareGroupDescribeResponseData.Assignment();
            assignment(member.assigned())
                    .topicPartitions()
                    .forEach(topic -> assigned.topicPartitions()
                            .add(new ShareGroupDescribeResponseData.TopicPartitions()
                                    .setTopicId(topic.topicId())
                                    .setTopicName(topic.topicName())
                                    .setPartitions(topic.partitions())));
            described
                    .members()
                    .add(new ShareGroupDescribeResponseData.Member()
                            .setMemberId(member.id())
                            .setRackId(member.rackId())
                            .setMemberEpoch(member.epoch())
                            .setClientId(member.clientId())
                            .setClientHost(member.clientHost())
                            .setSubscribedTopicNames(List.copyOf(member.topics()))
                            .setAssignment(assigned));
        }
        return described
                .setGroupState(group.stateName())
                .setGroupEpoch(group.epoch())
                .setAssignmentEpoch(group.epoch())
                .setAssignorName("simple");
    }

    /**
     * DeleteGroups of one group: with its offsets, the pending ones too.
     *
     * @param id its id
     */
    public void delete(String id) {
        Group group = store.find(id).orElseThrow(() -> notFound(id));
        group.checkDelete();
        for (TopicPartition partition : store.offsets().partitions(id)) {
            store.deleteOffset(id, partition);
        }
        store.deleteGroup(id);
    }

    private static ApiException notFound(String id) {
        return Errors.GROUP_ID_NOT_FOUND.exception("Group " + id + " not found.");
    }

    private Member describe(ConsumerGroup group, ConsumerMember member) {
        TreeSet<AssignedPartition> held = new TreeSet<>(member.assigned().keySet());
        held.addAll(member.revoking().keySet());
        return new Member()
                .setMemberId(member.id())
                .setInstanceId(member.instanceId())
                .setRackId(member.rackId())
                .setMemberEpoch(member.epoch())
                .setClientId(member.clientId())
                .setClientHost(member.clientHost())
                .setSubscribedTopicNames(List.copyOf(member.topics()))
                .setSubscribedTopicRegex(member.regex())
                .setAssignment(assignment(held))
                .setTargetAssignment(assignment(group.target(member.id())))
                .setMemberType((byte) 1);
    }

    private Assignment assignment(Collection<AssignedPartition> partitions) {
        ClusterImage image = store.context().image().get();
        Map<Uuid, TopicPartitions> topics = new TreeMap<>();
        for (AssignedPartition partition : partitions) {
            image.topic(partition.topicId())
                    .map(TopicInfo::name)
                    .ifPresent(name -> topics.computeIfAbsent(
                                    partition.topicId(),
                                    topicId -> new TopicPartitions()
                                            .setTopicId(topicId)
                                            .setTopicName(name)
                                            .setPartitions(new ArrayList<>()))
                            .partitions()
                            .add(partition.partition()));
        }
        return new Assignment().setTopicPartitions(new ArrayList<>(topics.values()));
    }

    private static boolean containsIgnoringCase(Collection<String> names, String name) {
        return names.stream()
                .anyMatch(each -> each.trim().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT)));
    }
}
