package io.github.kafkatxn.cluster.internal.share;

import io.github.kafkatxn.cluster.internal.log.Appended;
import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.log.Verification;
import io.github.kafkatxn.cluster.internal.log.VerificationGuard;
import io.github.kafkatxn.cluster.internal.share.ShareStateRecords.Update;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.jspecify.annotations.Nullable;

/** The share partitions of one partition of {@code __share_group_state}, as long as this node leads it. */
public final class ShareStateShard {
    private final Map<SharePartitionKey, ShareState> states = new HashMap<>();
    /** Whom the latest marker of each producer has touched: they are told again when it comes again. */
    private final Map<Long, Ended> ended = new HashMap<>();

    private final LedPartition partition;
    private final LongSupplier clock;

    private record Ended(short producerEpoch, Set<SharePartitionKey> keys) {}

    ShareStateShard(LedPartition partition, LongSupplier clock) {
        this.partition = partition;
        this.clock = clock;
        for (RecordBatch batch : partition.log().batches()) {
            for (Record record : batch) {
                if (batch.isControlBatch()) {
                    boolean commit = ControlRecordType.parse(record.key()) == ControlRecordType.COMMIT;
                    // What was refused is not in the log: whatever is open here of this producer ends with it.
                    end(new Marker(
                            partition.id().partition(), batch.producerId(), batch.producerEpoch(), commit, false));
                } else {
                    apply(ShareStateRecords.key(record), ShareStateRecords.update(record));
                }
            }
        }
    }

    /** {@return the number of its partition} */
    public int partition() {
        return partition.id().partition();
    }

    /**
     * InitializeShareGroupState.
     *
     * @param key which
     * @param stateEpoch the epoch of the beginning
     * @param startOffset where it begins, -1 if the group's configuration says it
     * @return NONE, or why not
     */
    public Errors initialise(SharePartitionKey key, int stateEpoch, long startOffset) {
        ShareState state = states.get(key);
        if (state != null && state.stateEpoch() > stateEpoch) {
            return Errors.FENCED_STATE_EPOCH;
        }
        int leaderEpoch = state == null ? 0 : state.leaderEpoch();
        return append(key, new Update(true, stateEpoch, leaderEpoch, startOffset, 0, List.of()));
    }

    /**
     * What is stored of a share partition.
     *
     * @param stateEpoch the epoch of its beginning
     * @param leaderEpoch of the leader that wrote or read it last
     * @param startOffset the first offset that is not done with, -1 if nothing was ever written
     * @param completeCount how many from there on are done with
     * @param batches the states of offsets that are not as if nobody had ever seen them
     */
    public record Stored(
            int stateEpoch, int leaderEpoch, long startOffset, int completeCount, List<StateBatch> batches) {}

    /**
     * ReadShareGroupState.
     *
     * @param key which
     * @param leaderEpoch of the leader that asks, which is its leader from now on; -1 for who is none
     * @return what is stored; as for a new share partition if nothing is
     */
    public Stored read(SharePartitionKey key, int leaderEpoch) {
        ShareState state = states.get(key);
        if (state == null) {
            return new Stored(0, 0, ShareState.NO_OFFSET, 0, List.of());
        }
        state.lead(leaderEpoch);
        return new Stored(
                state.stateEpoch(), state.leaderEpoch(), state.startOffset(), state.completeCount(), state.batches());
    }

    /**
     * Whether a leader may write.
     *
     * @param key which
     * @param stateEpoch as it has read it
     * @param leaderEpoch of the leader
     * @return NONE, or why not
     */
    public Errors check(SharePartitionKey key, int stateEpoch, int leaderEpoch) {
        ShareState state = states.get(key);
        if (state == null || stateEpoch < 0 || leaderEpoch < 0) {
            return Errors.INVALID_REQUEST;
        }
        if (leaderEpoch < state.leaderEpoch()) {
            return Errors.FENCED_LEADER_EPOCH;
        }
        return stateEpoch < state.stateEpoch() ? Errors.FENCED_STATE_EPOCH : Errors.NONE;
    }

    /**
     * WriteShareGroupState, once it has been checked.
     *
     * @param key which
     * @param change what is new
     * @return NONE, or why not
     */
    public Errors write(SharePartitionKey key, StateChange change) {
        return append(key, update(change));
    }

    /**
     * What to do before acknowledgements are staged.
     *
     * @param producer whose transaction
     * @return whether the transaction coordinator has to be asked
     */
    public Verification startVerification(Producer producer) {
        return partition.startVerification(producer.id(), producer.epoch(), RecordBatch.NO_SEQUENCE, true);
    }

    /**
     * WriteShareGroupState of what is staged in a transaction that the coordinator knows.
     *
     * @param key which
     * @param change what is new
     * @param producer whose transaction
     * @param guard of the verification
     * @return NONE, or why not
     */
    public Errors stage(SharePartitionKey key, StateChange change, Producer producer, VerificationGuard guard) {
        SimpleRecord record = ShareStateRecords.record(key, update(change), clock.getAsLong());
        Appended appended = partition.append(
                MemoryRecords.withTransactionalRecords(Compression.NONE, producer.id(), producer.epoch(), 0, record),
                guard);
        if (appended.error() == Errors.NONE) {
            apply(key, update(change));
        }
        return appended.error();
    }

    /**
     * DeleteShareGroupState.
     *
     * @param key which
     * @return NONE, also if there is nothing
     */
    public Errors delete(SharePartitionKey key) {
        if (!states.containsKey(key)) {
            return Errors.NONE;
        }
        Errors error = append(ShareStateRecords.tombstone(key, clock.getAsLong()));
        if (error == Errors.NONE) {
            states.remove(key);
        }
        return error;
    }

    /**
     * A marker is in the log.
     *
     * @param marker the marker
     * @return the share partitions whose leaders have to know, with the leader epochs they are known to have; the same
     *     again if it is a repetition
     */
    public Map<SharePartitionKey, Integer> onMarker(Marker marker) {
        end(marker);
        Map<SharePartitionKey, Integer> leaders = new HashMap<>();
        Ended last = ended.get(marker.producerId());
        if (last != null && last.producerEpoch() == marker.producerEpoch()) {
            for (SharePartitionKey key : last.keys()) {
                ShareState state = states.get(key);
                if (state != null) {
                    leaders.put(key, state.leaderEpoch());
                }
            }
        }
        return leaders;
    }

    private void end(Marker marker) {
        Set<SharePartitionKey> touched = new HashSet<>();
        states.forEach((key, state) -> {
            if (state.end(marker)) {
                touched.add(key);
            }
        });
        if (!touched.isEmpty()) {
            ended.put(marker.producerId(), new Ended(marker.producerEpoch(), touched));
        }
    }

    private static Update update(StateChange change) {
        return new Update(
                false,
                change.stateEpoch(),
                change.leaderEpoch(),
                change.startOffset(),
                change.completeCount(),
                change.batches());
    }

    private Errors append(SharePartitionKey key, Update update) {
        Errors error = append(ShareStateRecords.record(key, update, clock.getAsLong()));
        if (error == Errors.NONE) {
            apply(key, update);
        }
        return error;
    }

    private Errors append(SimpleRecord record) {
        return partition
                .append(MemoryRecords.withRecords(Compression.NONE, record))
                .error();
    }

    private void apply(SharePartitionKey key, @Nullable Update update) {
        if (update == null) {
            states.remove(key);
        } else if (update.initial()) {
            states.put(key, new ShareState(update.stateEpoch(), update.leaderEpoch(), update.startOffset()));
        } else {
            states.computeIfPresent(key, (same, state) -> {
                state.update(update.leaderEpoch(), update.startOffset(), update.completeCount(), update.batches());
                return state;
            });
        }
    }
}
