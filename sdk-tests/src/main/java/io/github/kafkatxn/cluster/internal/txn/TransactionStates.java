package io.github.kafkatxn.cluster.internal.txn;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/**
 * What is known of the transactional ids of the partitions of {@code __transaction_state} that a node leads. Every
 * change is in the log before it is in memory. Belongs to the node's thread.
 */
final class TransactionStates {
    private final Map<Integer, Shard> shards = new HashMap<>();
    private final int nodeId;
    private final EventLoop loop;
    private final Supplier<ClusterImage> image;

    /** One partition of the internal topic. */
    private record Shard(LedPartition partition, Map<String, TransactionMetadata> states) {}

    TransactionStates(int nodeId, EventLoop loop, Supplier<ClusterImage> image) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.image = image;
    }

    /** {@return what the log of a partition says, which the node leads from now on} */
    List<TransactionMetadata> load(LedPartition partition) {
        Map<String, TransactionMetadata> states = TransactionLog.read(partition.log());
        shards.put(partition.id().partition(), new Shard(partition, states));
        return List.copyOf(states.values());
    }

    /** The node does not lead a partition any more. */
    void unload(int partition) {
        shards.remove(partition);
    }

    /** The node leads nothing any more. */
    void clear() {
        shards.clear();
    }

    /** {@return NONE if this node coordinates the id, else what to tell who asks} */
    Errors check(String transactionalId) {
        Optional<TopicPartition> partition = partitionOf(transactionalId);
        if (partition.isPresent() && shards.containsKey(partition.get().partition())) {
            return Errors.NONE;
        }
        boolean soon = partition
                .flatMap(image.get()::partition)
                .map(PartitionInfo::leader)
                .filter(leader -> leader == nodeId)
                .isPresent();
        return soon ? Errors.COORDINATOR_LOAD_IN_PROGRESS : Errors.NOT_COORDINATOR;
    }

    /** {@return whether the node leads a partition that it has not read yet} */
    boolean isLoading() {
        return image.get().topic(InternalTopics.TRANSACTIONS).stream()
                .flatMap(topic -> topic.partitions().stream())
                .anyMatch(partition -> partition.leader() == nodeId && !shards.containsKey(partition.index()));
    }

    /** {@return what is known of an id that this node coordinates, empty if nobody has used it} */
    Optional<TransactionMetadata> find(String transactionalId) {
        return shard(transactionalId).map(shard -> shard.states().get(transactionalId));
    }

    /** {@return all that is known here} */
    List<TransactionMetadata> all() {
        List<TransactionMetadata> all = new ArrayList<>();
        shards.values().forEach(shard -> all.addAll(shard.states().values()));
        return all;
    }

    /** {@return the partition that keeps an id, empty if this node does not coordinate it} */
    Optional<LedPartition> keptIn(String transactionalId) {
        return shard(transactionalId).map(Shard::partition);
    }

    /** {@return NONE if it is in the log now, and in memory} */
    Errors write(TransactionMetadata next) {
        Optional<Shard> shard = shard(next.transactionalId());
        if (shard.isEmpty()) {
            return Errors.NOT_COORDINATOR;
        }
        Map<String, TransactionMetadata> states = shard.get().states();
        TransactionMetadata before = states.get(next.transactionalId());
        if (before != null && !next.state().mayFollow(before.state())) {
            throw new IllegalStateException(before + " cannot become " + next);
        }
        Errors error = shard.get()
                .partition()
                .append(TransactionLog.record(next, loop.millis()))
                .error();
        if (error == Errors.NONE) {
            states.put(next.transactionalId(), next);
        }
        return error;
    }

    /** A partition has its marker. In memory only, as with a broker: who takes over sends all markers again. */
    void hasMarker(String transactionalId, TopicPartition partition) {
        shard(transactionalId)
                .ifPresent(shard -> shard.states()
                        .computeIfPresent(
                                transactionalId,
                                (id, stored) -> stored.state().isPrepared() ? stored.without(partition) : stored));
    }

    /** Nobody has used the id for long. */
    void forget(String transactionalId) {
        shard(transactionalId).ifPresent(shard -> {
            shard.partition().append(TransactionLog.tombstone(transactionalId, loop.millis()));
            shard.states().remove(transactionalId);
        });
    }

    private Optional<Shard> shard(String transactionalId) {
        return partitionOf(transactionalId).map(partition -> shards.get(partition.partition()));
    }

    private Optional<TopicPartition> partitionOf(String transactionalId) {
        Function<Integer, TopicPartition> numbered = partitions -> new TopicPartition(
                InternalTopics.TRANSACTIONS, InternalTopics.partitionFor(transactionalId, partitions));
        return image.get()
                .topic(InternalTopics.TRANSACTIONS)
                .map(topic -> topic.partitions().size())
                .map(numbered);
    }
}
