package io.github.kafkatxn.cluster.internal.group;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/**
 * The records in {@code __consumer_offsets}: one kind for offsets, one for whole groups. The format is this class's
 * own, not that of Apache Kafka. A record without a value deletes what its key names.
 */
// Enums are written by their ordinals: the log lives no longer than this code.
@SuppressWarnings("EnumOrdinal")
final class GroupRecords {
    private static final byte OFFSET = 0;
    private static final byte GROUP = 1;
    private static final byte CLASSIC = 0;
    private static final byte CONSUMER = 1;
    private static final byte SHARE = 2;

    private GroupRecords() {}

    /** What a record changes. */
    interface Reader {
        void offset(String group, TopicPartition partition, @Nullable CommittedOffset offset);

        void group(String id, @Nullable Group group);
    }

    static SimpleRecord offset(String group, TopicPartition partition, @Nullable CommittedOffset offset, long now) {
        RecordWriter key = new RecordWriter()
                .number(OFFSET)
                .text(group)
                .text(partition.topic())
                .number(partition.partition());
        if (offset == null) {
            return new SimpleRecord(now, key.bytes(), null);
        }
        RecordWriter value = new RecordWriter()
                .id(offset.topicId())
                .number(offset.offset())
                .number(offset.leaderEpoch())
                .text(offset.metadata())
                .number(offset.commitTimestamp());
        return new SimpleRecord(now, key.bytes(), value.bytes());
    }

    static SimpleRecord group(Group group, long now) {
        RecordWriter value = new RecordWriter();
        if (group instanceof ClassicGroup classic) {
            write(classic, value.number(CLASSIC));
        } else if (group instanceof ConsumerGroup consumer) {
            write(consumer, value.number(CONSUMER));
        } else if (group instanceof ShareGroup share) {
            write(share, value.number(SHARE));
        }
        return new SimpleRecord(now, groupKey(group.id()), value.bytes());
    }

    static SimpleRecord noGroup(String id, long now) {
        return new SimpleRecord(now, groupKey(id), null);
    }

    static void read(Record stored, Reader reader) {
        RecordReader key = new RecordReader(stored.key());
        boolean isOffset = key.number() == OFFSET;
        String group = key.text();
        ByteBuffer value = stored.value();
        if (isOffset) {
            TopicPartition partition = new TopicPartition(key.text(), key.integer());
            reader.offset(
                    group, partition, value == null ? null : readOffset(new RecordReader(value), stored.offset()));
        } else {
            reader.group(group, value == null ? null : readGroup(group, new RecordReader(value)));
        }
    }

    private static byte[] groupKey(String id) {
        return new RecordWriter().number(GROUP).text(id).bytes();
    }

    private static CommittedOffset readOffset(RecordReader in, long logOffset) {
        return new CommittedOffset(in.id(), in.number(), in.integer(), in.text(), in.number(), logOffset);
    }

    private static Group readGroup(String id, RecordReader in) {
        return switch (in.integer()) {
            case CLASSIC -> readClassic(id, in);
            case CONSUMER -> readConsumer(id, in);
            default -> readShare(id, in);
        };
    }

    private static void write(ClassicGroup group, RecordWriter out) {
        out.number(group.generation())
                .maybeText(group.protocolTypeOrNull())
                .maybeText(group.protocolName())
                .maybeText(group.leader())
                .number(group.members().size());
        for (ClassicMember member : group.members()) {
            out.text(member.id())
                    .maybeText(member.instanceId())
                    .text(member.clientId())
                    .text(member.clientHost())
                    .number(member.sessionTimeoutMs())
                    .number(member.rebalanceTimeoutMs())
                    .number(member.protocols().size());
            member.protocols().forEach((name, metadata) -> out.text(name).data(metadata));
            out.data(member.assignment());
        }
    }

    private static ClassicGroup readClassic(String id, RecordReader in) {
        int generation = in.integer();
        String protocolType = in.maybeText();
        String protocolName = in.maybeText();
        String leader = in.maybeText();
        List<ClassicMember> members = new ArrayList<>();
        for (long left = in.number(); left > 0; left--) {
            members.add(readClassicMember(in));
        }
        ClassicGroup group = new ClassicGroup(id);
        group.restore(generation, protocolType, protocolName, leader, members);
        return group;
    }

    private static ClassicMember readClassicMember(RecordReader in) {
        ClassicMember member = new ClassicMember(
                in.text(),
                in.maybeText(),
                in.text(),
                in.text(),
                in.integer(),
                in.integer(),
                in.map(RecordReader::text, RecordReader::data));
        member.assign(in.data());
        return member;
    }

    private static void write(ConsumerGroup group, RecordWriter out) {
        out.number(group.epoch()).number(group.targetEpoch());
        out.number(group.topics().size());
        group.topics().forEach((topic, partitions) -> out.id(topic).number(partitions));
        out.number(group.members().size());
        group.members().forEach(member -> write(member, out));
        out.number(group.target().size());
        group.target().forEach((member, partitions) -> {
            out.text(member).number(partitions.size());
            partitions.forEach(partition -> write(partition, out));
        });
    }

    private static void write(ConsumerMember member, RecordWriter out) {
        out.text(member.id())
                .maybeText(member.instanceId())
                .maybeText(member.rackId())
                .maybeText(member.assignor())
                .text(member.clientId())
                .text(member.clientHost())
                .number(member.rebalanceTimeoutMs())
                .number(member.topics().size());
        member.topics().forEach(out::text);
        out.maybeText(member.regex())
                .number(member.state().ordinal())
                .number(member.epoch())
                .number(member.previousEpoch());
        for (Map<AssignedPartition, Integer> partitions : List.of(member.assigned(), member.revoking())) {
            out.number(partitions.size());
            partitions.forEach((partition, since) -> {
                write(partition, out);
                out.number(since);
            });
        }
    }

    private static void write(AssignedPartition partition, RecordWriter out) {
        out.id(partition.topicId()).number(partition.partition());
    }

    private static ConsumerGroup readConsumer(String id, RecordReader in) {
        ConsumerGroup group = new ConsumerGroup(id);
        int epoch = in.integer();
        int targetEpoch = in.integer();
        Map<Uuid, Integer> topics = new TreeMap<>(in.map(RecordReader::id, RecordReader::integer));
        group.restore(epoch, targetEpoch, topics);
        for (long left = in.number(); left > 0; left--) {
            group.add(readConsumerMember(in));
        }
        for (long left = in.number(); left > 0; left--) {
            String member = in.text();
            group.target().put(member, new TreeSet<>(in.list(GroupRecords::readPartition)));
        }
        return group;
    }

    private static ConsumerMember readConsumerMember(RecordReader in) {
        ConsumerMember member = new ConsumerMember(in.text());
        member.restore(
                in.maybeText(),
                in.maybeText(),
                in.maybeText(),
                in.text(),
                in.text(),
                in.integer(),
                new TreeSet<>(in.list(RecordReader::text)),
                in.maybeText());
        ConsumerMember.State state = ConsumerMember.State.values()[in.integer()];
        member.restoreEpochs(state, in.integer(), in.integer());
        member.assigned().putAll(in.map(GroupRecords::readPartition, RecordReader::integer));
        member.revoking().putAll(in.map(GroupRecords::readPartition, RecordReader::integer));
        return member;
    }

    private static void write(ShareGroup group, RecordWriter out) {
        out.number(group.epoch()).number(group.topics().size());
        group.topics().forEach((topic, partitions) -> out.id(topic).number(partitions));
        write(group.initialised(), out);
        out.number(group.members().size());
        for (ShareMember member : group.members()) {
            out.text(member.id())
                    .maybeText(member.rackId())
                    .text(member.clientId())
                    .text(member.clientHost())
                    .number(member.topics().size());
            member.topics().forEach(out::text);
            out.number(member.epoch()).number(member.previousEpoch());
            write(member.assigned(), out);
        }
    }

    private static void write(Collection<AssignedPartition> partitions, RecordWriter out) {
        out.number(partitions.size());
        partitions.forEach(partition -> write(partition, out));
    }

    private static ShareGroup readShare(String id, RecordReader in) {
        ShareGroup group = new ShareGroup(id);
        group.restore(in.integer(), new TreeMap<>(in.map(RecordReader::id, RecordReader::integer)));
        group.initialised().addAll(in.list(GroupRecords::readPartition));
        for (long left = in.number(); left > 0; left--) {
            ShareMember member = new ShareMember(in.text());
            member.restore(in.maybeText(), in.text(), in.text(), new TreeSet<>(in.list(RecordReader::text)));
            member.restore(in.integer(), in.integer(), new TreeSet<>(in.list(GroupRecords::readPartition)));
            group.add(member);
        }
        return group;
    }

    private static AssignedPartition readPartition(RecordReader in) {
        return new AssignedPartition(in.id(), in.integer());
    }
}
