package io.github.kafkatxn.cluster.internal.txn;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.InternalTopics;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.metadata.PartitionInfo;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.node.Peers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * Coordinates the transactional ids of the partitions of {@code __transaction_state} that its node leads (KIP-98,
 * KIP-890). Every change is in the log before it counts; an end is answered once it is decided, and its markers follow.
 * Belongs to the node's thread.
 */
public final class TransactionCoordinator {
    private final Map<Integer, Shard> shards = new HashMap<>();
    private final int nodeId;
    private final EventLoop loop;
    private final Supplier<ClusterImage> image;
    private final NodeSettings settings;
    private final ProducerIds producerIds;
    private final MarkerSender markers;
    private final TransactionSteps steps;
    private boolean closed;

    /** One partition of the internal topic. */
    private record Shard(LedPartition partition, Map<String, TransactionMetadata> states) {}

    /**
     * Coordinates nothing yet.
     *
     * @param nodeId its node
     * @param loop the node's thread and time
     * @param image what the node knows of the cluster
     * @param settings the node's configuration
     * @param peers the node's way to the leaders of partitions
     * @param producerIds ids for new producers
     * @param steps may hold it between its steps
     */
    public TransactionCoordinator(
            int nodeId,
            EventLoop loop,
            Supplier<ClusterImage> image,
            NodeSettings settings,
            Peers peers,
            ProducerIds producerIds,
            TransactionSteps steps) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.image = image;
        this.settings = settings;
        this.producerIds = producerIds;
        this.markers = new MarkerSender(loop, image, peers);
        this.steps = steps;
    }

    /** Fetches producer ids, and begins to look for transactions that have taken too long. */
    public void start() {
        producerIds.fetch();
        expireRegularly();
    }

    private void expireRegularly() {
        loop.after(settings.number("transaction.abort.timed.out.transaction.cleanup.interval.ms"), () -> {
            if (!closed) {
                expire();
                expireRegularly();
            }
        });
    }

    /**
     * The node leads a partition of {@code __transaction_state} from now on: its states are read from the log, and
     * decided transactions are completed.
     *
     * @param partition which
     */
    public void onElection(LedPartition partition) {
        Map<String, TransactionMetadata> states = TransactionLog.read(partition.log());
        shards.put(partition.id().partition(), new Shard(partition, states));
        List.copyOf(states.values()).stream()
                .filter(metadata -> metadata.state().isPrepared())
                .forEach(this::writeMarkers);
    }

    /**
     * The node does not lead a partition of {@code __transaction_state} any more: what is known of it is forgotten.
     *
     * @param partition its number
     */
    public void onResignation(int partition) {
        shards.remove(partition);
    }

    /** The node stops. Nothing is sent or written any more. */
    public void close() {
        closed = true;
        shards.clear();
        markers.close();
    }

    /**
     * Whether this node coordinates an id.
     *
     * @param transactionalId the id
     * @return NONE if it does, else what to tell who asks
     */
    public Errors check(String transactionalId) {
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

    /**
     * What is known of an id.
     *
     * @param transactionalId an id that this node coordinates
     * @return its state, empty if nobody has used it
     */
    public Optional<TransactionMetadata> find(String transactionalId) {
        return shard(transactionalId).map(shard -> shard.states().get(transactionalId));
    }

    /** {@return whether the node leads a partition whose states it has not read yet} */
    public boolean isLoading() {
        return image.get().topic(InternalTopics.TRANSACTIONS).stream()
                .flatMap(topic -> topic.partitions().stream())
                .anyMatch(partition -> partition.leader() == nodeId && !shards.containsKey(partition.index()));
    }

    /** {@return all that is known here} */
    public List<TransactionMetadata> all() {
        List<TransactionMetadata> all = new ArrayList<>();
        shards.values().forEach(shard -> all.addAll(shard.states().values()));
        return all;
    }

    /**
     * Gives a producer its id and epoch, and ends what an earlier producer with the same transactional id left open.
     *
     * @param transactionalId the id
     * @param timeoutMs after so long an open transaction is aborted
     * @param expectedId the producer id that it has, or -1
     * @param expectedEpoch the epoch that it has, or -1
     * @return its id and epoch, or why not
     */
    public ProducerIdentity init(String transactionalId, int timeoutMs, long expectedId, short expectedEpoch) {
        Errors unavailable = check(transactionalId);
        if (unavailable != Errors.NONE) {
            return ProducerIdentity.refused(unavailable);
        }
        TransactionMetadata stored = find(transactionalId).orElse(null);
        if (stored == null) {
            OptionalLong fresh = producerIds.take();
            if (fresh.isEmpty()) {
                return ProducerIdentity.refused(Errors.COORDINATOR_LOAD_IN_PROGRESS);
            }
            stored = TransactionMetadata.unused(transactionalId, fresh.getAsLong(), timeoutMs, loop.millis());
        }
        if (stored.state().isPrepared()) {
            return ProducerIdentity.refused(Errors.CONCURRENT_TRANSACTIONS);
        }
        if (!InitRules.fits(stored, expectedId, expectedEpoch)) {
            return ProducerIdentity.refused(Errors.PRODUCER_FENCED);
        }
        return switch (stored.state()) {
            case ONGOING -> {
                fence(stored);
                yield ProducerIdentity.refused(Errors.CONCURRENT_TRANSACTIONS);
            }
            case EMPTY, COMPLETE_COMMIT, COMPLETE_ABORT -> initialise(stored, timeoutMs, expectedEpoch);
            default -> ProducerIdentity.refused(Errors.CONCURRENT_TRANSACTIONS);
        };
    }

    /**
     * Gives an idempotent producer an id.
     *
     * @return its id and epoch 0, or why not
     */
    public ProducerIdentity initIdempotent() {
        OptionalLong fresh = producerIds.take();
        return fresh.isPresent()
                ? ProducerIdentity.of(fresh.getAsLong(), (short) 0)
                : ProducerIdentity.refused(Errors.COORDINATOR_LOAD_IN_PROGRESS);
    }

    /**
     * Makes partitions part of a transaction, which begins with the first of them.
     *
     * @param transactionalId the id
     * @param producerId the producer's
     * @param epoch the producer's
     * @param partitions which
     * @param version the transaction version of the request
     * @return NONE, or why not
     */
    public Errors add(
            String transactionalId, long producerId, short epoch, Set<TopicPartition> partitions, byte version) {
        Errors refused = isCompleting(transactionalId)
                ? Errors.CONCURRENT_TRANSACTIONS
                : checkProducer(transactionalId, producerId, epoch);
        if (refused != Errors.NONE) {
            return refused;
        }
        TransactionMetadata stored = find(transactionalId).orElseThrow();
        boolean open = stored.state() == TransactionState.ONGOING;
        if (open && stored.partitions().containsAll(partitions)) {
            return Errors.NONE;
        }
        Set<TopicPartition> all = new HashSet<>(partitions);
        if (open) {
            all.addAll(stored.partitions());
        }
        return write(stored.adding(all, version, loop.millis()));
    }

    /**
     * Whether partitions are part of a transaction.
     *
     * @param transactionalId the id
     * @param producerId the producer's
     * @param epoch the producer's
     * @param partitions which
     * @return per partition NONE, TRANSACTION_ABORTABLE if it is not, or why that cannot be told
     */
    public Map<TopicPartition, Errors> verify(
            String transactionalId, long producerId, short epoch, Set<TopicPartition> partitions) {
        Errors refused = checkProducer(transactionalId, producerId, epoch);
        Set<TopicPartition> present =
                refused == Errors.NONE ? find(transactionalId).orElseThrow().partitions() : Set.of();
        Map<TopicPartition, Errors> answers = new HashMap<>();
        for (TopicPartition partition : partitions) {
            Errors own = present.contains(partition) ? Errors.NONE : Errors.TRANSACTION_ABORTABLE;
            answers.put(partition, refused == Errors.NONE ? own : refused);
        }
        return answers;
    }

    /**
     * Ends a transaction: decided once this returns; markers follow.
     *
     * @param transactionalId the id
     * @param producerId the producer's
     * @param epoch the producer's
     * @param commit how it ends
     * @param version 2 bumps the epoch
     * @return the id and epoch to go on with, or why not
     */
    public ProducerIdentity end(String transactionalId, long producerId, short epoch, boolean commit, byte version) {
        if (transactionalId.isEmpty()) {
            return ProducerIdentity.refused(Errors.INVALID_REQUEST);
        }
        Errors unavailable = check(transactionalId);
        if (unavailable != Errors.NONE) {
            return ProducerIdentity.refused(unavailable);
        }
        TransactionMetadata stored = find(transactionalId).orElse(null);
        if (stored == null) {
            return ProducerIdentity.refused(Errors.INVALID_PRODUCER_ID_MAPPING);
        }
        EndRules.Decision decision = version >= 2
                ? EndRules.decideBumping(stored, producerId, epoch, commit)
                : EndRules.decide(stored, producerId, epoch, commit);
        return switch (decision.kind()) {
            case REFUSED -> ProducerIdentity.refused(decision.error());
            case DONE_BEFORE -> ProducerIdentity.of(stored.producerId(), stored.epoch());
            case PREPARE -> prepare(stored, commit, version);
        };
    }

    private ProducerIdentity initialise(TransactionMetadata stored, int timeoutMs, short expectedEpoch) {
        long now = loop.millis();
        InitRules.Step step = InitRules.next(stored, expectedEpoch);
        TransactionMetadata next;
        switch (step) {
            case SAME_AGAIN -> next = stored.initialised(stored.epoch(), stored.lastEpoch(), timeoutMs, now);
            case ROTATE -> {
                OptionalLong fresh = producerIds.take();
                if (fresh.isEmpty()) {
                    return ProducerIdentity.refused(Errors.COORDINATOR_LOAD_IN_PROGRESS);
                }
                next = stored.rotated(fresh.getAsLong(), InitRules.lastEpoch(stored, expectedEpoch), timeoutMs, now);
            }
            case BUMP ->
                next = stored.initialised(
                        (short) (stored.epoch() + 1), InitRules.lastEpoch(stored, expectedEpoch), timeoutMs, now);
            default -> {
                return ProducerIdentity.refused(Errors.PRODUCER_FENCED);
            }
        }
        Errors written = write(next);
        return written == Errors.NONE
                ? ProducerIdentity.of(next.producerId(), next.epoch())
                : ProducerIdentity.refused(written);
    }

    /** Aborts a transaction that its producer does not end, so that the producer cannot go on with it. */
    private void fence(TransactionMetadata stored) {
        byte version = (byte) image.get().transactionVersion();
        ProducerIdentity aborted = prepare(version >= 2 ? stored : stored.fenced(), false, version);
        if (aborted.error() != Errors.NONE && aborted.error() != Errors.COORDINATOR_LOAD_IN_PROGRESS) {
            throw new IllegalStateException("a transaction could not be aborted: " + stored + ", " + aborted.error());
        }
    }

    private ProducerIdentity prepare(TransactionMetadata stored, boolean commit, byte version) {
        long next = RecordBatch.NO_PRODUCER_ID;
        if (version >= 2 && stored.isExhausted()) {
            OptionalLong fresh = producerIds.take();
            if (fresh.isEmpty()) {
                return ProducerIdentity.refused(Errors.COORDINATOR_LOAD_IN_PROGRESS);
            }
            next = fresh.getAsLong();
        }
        TransactionMetadata prepared = stored.prepared(commit, version, next, loop.millis());
        Errors written = write(prepared);
        if (written != Errors.NONE) {
            return ProducerIdentity.refused(written);
        }
        // After the answer: who asked is told that it is decided, not that it is done.
        loop.execute(() -> writeMarkers(prepared));
        TransactionMetadata completed = prepared.completed(loop.millis());
        return ProducerIdentity.of(completed.producerId(), completed.epoch());
    }

    private void writeMarkers(TransactionMetadata prepared) {
        boolean commit = prepared.state() == TransactionState.PREPARE_COMMIT;
        String id = prepared.transactionalId();
        Optional<Shard> shard = shard(id);
        if (shard.isEmpty()) {
            return;
        }
        LedPartition led = shard.get().partition();
        steps.beforeMarkers(
                id,
                commit,
                () -> markers.send(
                        prepared,
                        led.leaderEpoch(),
                        () -> isStill(led, prepared),
                        partition -> hasMarker(id, partition),
                        () -> steps.beforeComplete(id, commit, () -> complete(led, prepared))));
    }

    private boolean isStill(LedPartition led, TransactionMetadata prepared) {
        return !closed
                && shard(prepared.transactionalId())
                        .filter(shard -> shard.partition() == led)
                        .map(shard -> shard.states().get(prepared.transactionalId()))
                        .filter(prepared::isSameEnd)
                        .isPresent();
    }

    /** In memory only, as with a broker: who takes over sends all markers again. */
    private void hasMarker(String transactionalId, TopicPartition partition) {
        shard(transactionalId)
                .ifPresent(shard -> shard.states()
                        .computeIfPresent(
                                transactionalId,
                                (id, stored) -> stored.state().isPrepared() ? stored.without(partition) : stored));
    }

    private void complete(LedPartition led, TransactionMetadata prepared) {
        if (isStill(led, prepared)) {
            write(prepared.completed(loop.millis()));
        }
    }

    /** Whoever adds partitions has to wait then, whatever their producer id and epoch. */
    private boolean isCompleting(String transactionalId) {
        return find(transactionalId)
                .filter(stored -> stored.state().isPrepared())
                .isPresent();
    }

    private Errors checkProducer(String transactionalId, long producerId, short epoch) {
        if (transactionalId.isEmpty()) {
            return Errors.INVALID_REQUEST;
        }
        Errors unavailable = check(transactionalId);
        if (unavailable != Errors.NONE) {
            return unavailable;
        }
        TransactionMetadata stored = find(transactionalId).orElse(null);
        if (stored == null || stored.producerId() != producerId) {
            return Errors.INVALID_PRODUCER_ID_MAPPING;
        }
        if (stored.epoch() != epoch) {
            return Errors.PRODUCER_FENCED;
        }
        return stored.state().isPrepared() ? Errors.CONCURRENT_TRANSACTIONS : Errors.NONE;
    }

    /** In the log first, then in memory. */
    private Errors write(TransactionMetadata next) {
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

    private void expire() {
        long now = loop.millis();
        long expiry = settings.number("transactional.id.expiration.ms");
        for (TransactionMetadata metadata : all()) {
            if (metadata.state() == TransactionState.ONGOING) {
                if (metadata.startMs() + metadata.timeoutMs() < now) {
                    fence(metadata);
                }
            } else if (!metadata.state().isPrepared() && metadata.updatedMs() + expiry < now) {
                forget(metadata.transactionalId());
            }
        }
    }

    private void forget(String transactionalId) {
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
