package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.log.Appended;
import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.log.Verification;
import io.github.kafkatxn.cluster.internal.log.VerificationGuard;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/** The groups and offsets of one partition of {@code __consumer_offsets}: in memory, and in its log. */
final class GroupStore {
    private final Map<String, Group> groups = new TreeMap<>();
    /** What the log says of each group: nothing is written that is there already. */
    private final Map<String, ByteBuffer> saved = new HashMap<>();

    private final OffsetStore offsets = new OffsetStore();
    private final GroupContext context;
    private final LedPartition partition;

    GroupStore(GroupContext context, LedPartition partition) {
        this.context = context;
        this.partition = partition;
        for (RecordBatch batch : partition.log().batches()) {
            if (batch.isControlBatch()) {
                Record marker = batch.iterator().next();
                offsets.endTransaction(
                        batch.producerId(), ControlRecordType.parse(marker.key()) == ControlRecordType.COMMIT);
            } else {
                batch.forEach(stored -> GroupRecords.read(stored, reader(batch)));
            }
        }
    }

    private GroupRecords.Reader reader(RecordBatch batch) {
        return new GroupRecords.Reader() {
            @Override
            public void offset(String group, TopicPartition of, @Nullable CommittedOffset offset) {
                if (offset == null) {
                    offsets.delete(group, of);
                } else if (batch.isTransactional()) {
                    simpleGroup(group);
                    offsets.addPending(batch.producerId(), group, of, offset);
                } else {
                    simpleGroup(group);
                    offsets.commit(group, of, offset);
                }
            }

            @Override
            public void group(String id, @Nullable Group group) {
                if (group == null) {
                    groups.remove(id);
                } else {
                    groups.put(id, group);
                }
            }
        };
    }

    GroupContext context() {
        return context;
    }

    OffsetStore offsets() {
        return offsets;
    }

    Collection<Group> groups() {
        return groups.values();
    }

    Optional<Group> find(String id) {
        return Optional.ofNullable(groups.get(id));
    }

    /** {@return the group, made if there is none: one that only keeps offsets} */
    Group simpleGroup(String id) {
        return groups.computeIfAbsent(id, ClassicGroup::new);
    }

    /** Puts a group in the place of the one there was, if there was one; it is in the log once it is saved. */
    void put(Group group) {
        groups.put(group.id(), group);
    }

    void save(Group group) {
        SimpleRecord change = GroupRecords.group(group, now());
        if (!change.value().equals(saved.put(group.id(), change.value()))) {
            append(List.of(change));
        }
    }

    void deleteGroup(String id) {
        append(List.of(GroupRecords.noGroup(id, now())));
        groups.remove(id);
        saved.remove(id);
    }

    void commit(String group, Map<TopicPartition, CommittedOffset> committed) {
        if (committed.isEmpty()) {
            return;
        }
        long base = append(offsetRecords(group, committed));
        for (Map.Entry<TopicPartition, CommittedOffset> entry : committed.entrySet()) {
            offsets.commit(group, entry.getKey(), entry.getValue().at(base++));
        }
    }

    Verification startVerification(long producerId, short producerEpoch, boolean epochBump) {
        return partition.startVerification(producerId, producerEpoch, RecordBatch.NO_SEQUENCE, epochBump);
    }

    void commitInTransaction(
            String group,
            long producerId,
            short producerEpoch,
            Map<TopicPartition, CommittedOffset> committed,
            VerificationGuard guard) {
        if (committed.isEmpty()) {
            return;
        }
        SimpleRecord[] records = offsetRecords(group, committed).toArray(SimpleRecord[]::new);
        long base = baseOffset(partition.append(
                MemoryRecords.withTransactionalRecords(Compression.NONE, producerId, producerEpoch, 0, records),
                guard));
        for (Map.Entry<TopicPartition, CommittedOffset> entry : committed.entrySet()) {
            offsets.addPending(
                    producerId, group, entry.getKey(), entry.getValue().at(base++));
        }
    }

    void deleteOffset(String group, TopicPartition of) {
        append(List.of(GroupRecords.offset(group, of, null, now())));
        offsets.delete(group, of);
    }

    void deleteOffsets(BiPredicate<TopicPartition, CommittedOffset> fits) {
        offsets.matching(fits).forEach(found -> deleteOffset(found.getKey(), found.getValue()));
    }

    private List<SimpleRecord> offsetRecords(String group, Map<TopicPartition, CommittedOffset> committed) {
        List<SimpleRecord> records = new ArrayList<>();
        committed.forEach((of, offset) -> records.add(GroupRecords.offset(group, of, offset, now())));
        return records;
    }

    private long append(List<SimpleRecord> records) {
        return baseOffset(
                partition.append(MemoryRecords.withRecords(Compression.NONE, records.toArray(SimpleRecord[]::new))));
    }

    private static long baseOffset(Appended appended) {
        if (appended.error() != Errors.NONE) {
            throw GroupErrors.ofLog(appended.error()).exception(appended.message());
        }
        return appended.baseOffset();
    }

    private long now() {
        return context.loop().millis();
    }
}
