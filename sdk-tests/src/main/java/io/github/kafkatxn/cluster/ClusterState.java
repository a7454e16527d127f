package io.github.kafkatxn.cluster;

import io.github.kafkatxn.cluster.internal.api.NodeContext;
import io.github.kafkatxn.cluster.internal.group.CommittedOffset;
import io.github.kafkatxn.cluster.internal.group.GroupShard;
import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.txn.TransactionMetadata;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * What the nodes of a cluster know, read from them and not over their sockets: faults do not touch it, and the request
 * log does not show it. Every call answers what is true at one moment of the node that leads or coordinates; that node
 * is running, else the call throws {@link IllegalStateException}. Thread-safe; a call waits 10 seconds at most, longer
 * for no node than that, and not for one that stands still.
 */
public final class ClusterState {

    /** Asks the node that leads a partition. */
    interface Leaders {
        <T> T inspect(TopicPartition partition, Function<NodeContext, T> look);
    }

    private final ReferenceCluster cluster;
    private final Leaders leaders;

    ClusterState(ReferenceCluster cluster, Leaders leaders) {
        this.cluster = cluster;
        this.leaders = leaders;
    }

    /**
     * A transactional id, as its coordinator knows it.
     *
     * @param transactionalId the id
     * @param producerId the producer id it has now
     * @param producerEpoch the producer epoch it has now
     * @param state where it stands
     * @param partitions of the open transaction, or those that still wait for their marker
     */
    public record Transaction(
            String transactionalId,
            long producerId,
            short producerEpoch,
            TransactionState state,
            Set<TopicPartition> partitions) {}

    /**
     * A producer, as the leader of a partition knows it.
     *
     * @param producerId the producer id
     * @param producerEpoch the latest epoch that it was seen with
     * @param lastSequence of its last batch, -1 if none of that epoch is known
     * @param transactionStart the first offset of its open transaction; empty if none is open
     */
    public record Producer(long producerId, short producerEpoch, int lastSequence, OptionalLong transactionStart) {}

    /**
     * A control batch in a log: the end of a transaction.
     *
     * @param offset where it lies
     * @param producerId whose transaction it ends
     * @param producerEpoch the epoch it was written with
     * @param committed whether it was a commit
     */
    public record Marker(long offset, long producerId, short producerEpoch, boolean committed) {}

    /**
     * An offset of a group.
     *
     * @param topicId the id that its topic had when it was committed
     * @param offset the offset
     * @param leaderEpoch the leader epoch, -1 if none was given
     * @param metadata what was written beside it, may be empty
     */
    public record Offset(Uuid topicId, long offset, int leaderEpoch, String metadata) {
        private static Offset of(CommittedOffset stored) {
            return new Offset(stored.topicId(), stored.offset(), stored.leaderEpoch(), stored.metadata());
        }
    }

    /**
     * What its coordinator knows of a transactional id.
     *
     * @param transactionalId the id
     * @return it, or nothing if nobody has initialised it
     */
    public Optional<Transaction> transaction(String transactionalId) {
        return leaders.inspect(
                cluster.transactionPartition(transactionalId),
                node -> node.transactions().find(transactionalId).map(ClusterState::transaction));
    }

    /**
     * The producers that the leader of a partition knows.
     *
     * @param partition which
     * @return the producers, sorted by their ids
     */
    public List<Producer> producers(TopicPartition partition) {
        return inLog(
                partition,
                led -> led.log().activeProducers().stream()
                        .map(active -> new Producer(
                                active.producerId(),
                                active.producerEpoch(),
                                active.lastSequence(),
                                active.transactionStart() < 0
                                        ? OptionalLong.empty()
                                        : OptionalLong.of(active.transactionStart())))
                        .toList());
    }

    /**
     * The ends of transactions in a partition's log.
     *
     * @param partition which
     * @return the control batches, in their order
     */
    public List<Marker> markers(TopicPartition partition) {
        return inLog(partition, led -> {
            List<Marker> markers = new ArrayList<>();
            for (RecordBatch batch : led.log().batches()) {
                if (batch.isControlBatch()) {
                    Record end = batch.iterator().next();
                    markers.add(new Marker(
                            end.offset(),
                            batch.producerId(),
                            batch.producerEpoch(),
                            ControlRecordType.parse(end.key()) == ControlRecordType.COMMIT));
                }
            }
            return markers;
        });
    }

    /**
     * The end of a partition's log.
     *
     * @param partition which
     * @return the offset of the record that comes next
     */
    public long endOffset(TopicPartition partition) {
        return inLog(partition, led -> led.log().endOffset());
    }

    /**
     * How far a read_committed consumer can read a partition.
     *
     * @param partition which
     * @return the first offset that is not decided, or the end of the log
     */
    public long lastStableOffset(TopicPartition partition) {
        return inLog(partition, LedPartition::lastStableOffset);
    }

    /**
     * The committed offsets of a group.
     *
     * @param group its id
     * @return the offsets by partition; empty if it has none
     */
    public Map<TopicPartition, Offset> offsets(String group) {
        return inGroup(group, shard -> offsets(shard.committed(group)));
    }

    /**
     * The offsets of a group that belong to transactions that have not ended.
     *
     * @param group its id
     * @return the offsets by producer id and partition; empty if there are none
     */
    public Map<Long, Map<TopicPartition, Offset>> pendingOffsets(String group) {
        return inGroup(group, shard -> {
            Map<Long, Map<TopicPartition, Offset>> pending = new HashMap<>();
            shard.pending(group).forEach((producer, offsets) -> pending.put(producer, offsets(offsets)));
            return pending;
        });
    }

    private <T> T inLog(TopicPartition partition, Function<LedPartition, T> look) {
        return leaders.inspect(
                partition,
                node -> look.apply(node.partitions()
                        .find(partition)
                        .orElseThrow(() -> new IllegalStateException("node " + node.nodeId() + " does not lead "
                                + partition + " yet: it has just become its leader"))));
    }

    private <T> T inGroup(String group, Function<GroupShard, T> look) {
        return leaders.inspect(
                cluster.groupPartition(group), node -> look.apply(node.groups().shardOf(group)));
    }

    private static Map<TopicPartition, Offset> offsets(Map<TopicPartition, CommittedOffset> stored) {
        Map<TopicPartition, Offset> offsets = new HashMap<>();
        stored.forEach((partition, offset) -> offsets.put(partition, Offset.of(offset)));
        return offsets;
    }

    private static Transaction transaction(TransactionMetadata known) {
        return new Transaction(
                known.transactionalId(),
                known.producerId(),
                known.epoch(),
                TransactionState.parse(known.state().title()),
                known.partitions());
    }
}
