package io.github.kafkatxn.differential;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatRequestData;
import org.apache.kafka.common.message.ConsumerGroupHeartbeatResponseData;
import org.apache.kafka.common.message.HeartbeatRequestData;
import org.apache.kafka.common.message.HeartbeatResponseData;
import org.apache.kafka.common.message.JoinGroupRequestData;
import org.apache.kafka.common.message.JoinGroupRequestData.JoinGroupRequestProtocol;
import org.apache.kafka.common.message.JoinGroupResponseData;
import org.apache.kafka.common.message.LeaveGroupRequestData;
import org.apache.kafka.common.message.LeaveGroupRequestData.MemberIdentity;
import org.apache.kafka.common.message.LeaveGroupResponseData;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteResponseData;
import org.apache.kafka.common.message.SyncGroupRequestData;
import org.apache.kafka.common.message.SyncGroupRequestData.SyncGroupRequestAssignment;
import org.apache.kafka.common.message.SyncGroupResponseData;
import org.apache.kafka.common.protocol.Errors;

/** Requests of the members of groups. */
final class GroupRequests {
    private static final byte[] SOMETHING = "something".getBytes(StandardCharsets.UTF_8);
    private static final int MANY_MEMBERS_LEAVE = 3;

    private GroupRequests() {}

    static List<Verb> all() {
        return List.of(
                new Verb("Join", "g member instance session type protocols", GroupRequests::join),
                new Verb("Sync", "g member instance gen", GroupRequests::sync),
                new Verb("Heartbeat", "g member instance gen", GroupRequests::heartbeat),
                new Verb("Leave", "g member instance", GroupRequests::leave),
                new Verb(
                        "ConsumerHeartbeat",
                        "g member instance gen topic assignor regex",
                        GroupRequests::consumerHeartbeat),
                new Verb("OffsetDelete", "g topic p", GroupRequests::deleteOffsets));
    }

    /**
     * {@code Join v9 member=M1 instance=i session=60000 type=consumer protocols=range,other}: the only member of its
     * group, or the first.
     */
    private static String join(Step step, Names names, Wire wire) throws IOException {
        JoinGroupRequestData request = new JoinGroupRequestData()
                .setGroupId(names.group(step))
                .setMemberId(names.member(step))
                .setGroupInstanceId(step.value("instance").orElse(null))
                .setSessionTimeoutMs(step.number("session", 60_000))
                .setRebalanceTimeoutMs(60_000)
                .setProtocolType(step.text("type", "consumer").replace("none", ""));
        Stream.of(step.text("protocols", "range").split(","))
                .filter(protocol -> !protocol.equals("none"))
                .forEach(protocol -> request.protocols()
                        .add(new JoinGroupRequestProtocol().setName(protocol).setMetadata(SOMETHING)));
        JoinGroupResponseData answer = wire.ask(request, step.version(), JoinGroupResponseData.class);
        return Errors.forCode(answer.errorCode()) + " gen" + answer.generationId() + " "
                + names.memberName(answer.memberId()) + (answer.leader().equals(answer.memberId()) ? " leads" : "");
    }

    /** {@code Sync v5 member=M1 gen=1}. */
    private static String sync(Step step, Names names, Wire wire) throws IOException {
        SyncGroupRequestData request = new SyncGroupRequestData()
                .setGroupId(names.group(step))
                .setMemberId(names.member(step))
                .setGroupInstanceId(step.value("instance").orElse(null))
                .setGenerationId(step.number("gen", -1))
                .setProtocolType("consumer")
                .setProtocolName("range");
        request.assignments()
                .add(new SyncGroupRequestAssignment()
                        .setMemberId(names.member(step))
                        .setAssignment(SOMETHING));
        SyncGroupResponseData answer = wire.ask(request, step.version(), SyncGroupResponseData.class);
        return Errors.forCode(answer.errorCode()) + " " + answer.assignment().length + "bytes";
    }

    private static String heartbeat(Step step, Names names, Wire wire) throws IOException {
        HeartbeatRequestData request = new HeartbeatRequestData()
                .setGroupId(names.group(step))
                .setMemberId(names.member(step))
                .setGroupInstanceId(step.value("instance").orElse(null))
                .setGenerationId(step.number("gen", -1));
        return Errors.forCode(wire.ask(request, step.version(), HeartbeatResponseData.class)
                        .errorCode())
                .name();
    }

    private static String leave(Step step, Names names, Wire wire) throws IOException {
        LeaveGroupRequestData request = new LeaveGroupRequestData().setGroupId(names.group(step));
        if (step.version() < MANY_MEMBERS_LEAVE) {
            request.setMemberId(names.member(step));
        } else {
            request.setMembers(List.of(new MemberIdentity()
                    .setMemberId(names.member(step))
                    .setGroupInstanceId(step.value("instance").orElse(null))));
        }
        LeaveGroupResponseData answer = wire.ask(request, step.version(), LeaveGroupResponseData.class);
        StringBuilder words =
                new StringBuilder(Errors.forCode(answer.errorCode()).name());
        answer.members().forEach(member -> words.append(' ').append(Errors.forCode(member.errorCode())));
        return words.toString();
    }

    /** {@code ConsumerHeartbeat v1 member=m gen=0 topic=topic}: an epoch of 0 joins, one below 0 leaves. */
    private static String consumerHeartbeat(Step step, Names names, Wire wire) throws IOException {
        int epoch = step.number("gen", 0);
        ConsumerGroupHeartbeatRequestData request = new ConsumerGroupHeartbeatRequestData()
                .setGroupId(names.group(step))
                .setMemberId(names.member(step))
                .setMemberEpoch(epoch)
                .setInstanceId(step.value("instance").orElse(null));
        if (epoch == 0) {
            request.setRebalanceTimeoutMs(60_000)
                    .setSubscribedTopicNames(List.of(names.topic(step)))
                    .setServerAssignor(step.value("assignor").orElse(null))
                    .setSubscribedTopicRegex(step.value("regex").orElse(null))
                    .setTopicPartitions(List.of());
        }
        ConsumerGroupHeartbeatResponseData answer =
                wire.ask(request, step.version(), ConsumerGroupHeartbeatResponseData.class);
        String words = Errors.forCode(answer.errorCode()) + " epoch" + answer.memberEpoch() + " "
                + names.memberName(answer.memberId() == null ? "" : answer.memberId());
        if (answer.assignment() == null) {
            return words;
        }
        StringBuilder assigned = new StringBuilder(words).append(" has");
        answer.assignment()
                .topicPartitions()
                .forEach(topic -> topic.partitions().stream()
                        .sorted()
                        .forEach(partition -> assigned.append(':').append(partition)));
        return assigned.toString();
    }

    private static String deleteOffsets(Step step, Names names, Wire wire) throws IOException {
        OffsetDeleteRequestData request = new OffsetDeleteRequestData().setGroupId(names.group(step));
        request.topics()
                .add(new OffsetDeleteRequestTopic()
                        .setName(names.topic(step))
                        .setPartitions(step.partitions().stream()
                                .map(partition -> new OffsetDeleteRequestPartition().setPartitionIndex(partition))
                                .toList()));
        OffsetDeleteResponseData answer = wire.ask(request, step.version(), OffsetDeleteResponseData.class);
        if (answer.errorCode() != 0) {
            return "top:" + Errors.forCode(answer.errorCode());
        }
        Map<Integer, Short> errors = new TreeMap<>();
        answer.topics()
                .forEach(topic -> topic.partitions()
                        .forEach(partition -> errors.put(partition.partitionIndex(), partition.errorCode())));
        return Words.errors(errors);
    }
}
