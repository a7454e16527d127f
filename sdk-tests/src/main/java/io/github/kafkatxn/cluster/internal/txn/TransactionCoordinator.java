package io.github.kafkatxn.cluster.internal.txn;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.node.Peers;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/**
 * Coordinates the transactional ids of the partitions of {@code __transaction_state} that its node leads (KIP-98,
 * KIP-890). Every change is in the log before it counts; an end is answered once it is decided, and its markers follow.
 * Belongs to the node's thread.
 */
public final class TransactionCoordinator {
    private final EventLoop loop;
    private final NodeSettings settings;
    private final ProducerIds producerIds;
    private final TransactionStates states;
    private final TransactionEnds ends;
    private final ProducerInits inits;
    private boolean closed;

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
        this.loop = loop;
        this.settings = settings;
        this.producerIds = producerIds;
        this.states = new TransactionStates(nodeId, loop, image);
        this.ends = new TransactionEnds(loop, image, states, producerIds, new MarkerSender(loop, image, peers), steps);
        this.inits = new ProducerInits(loop, states, ends, producerIds);
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
        states.load(partition).stream()
                .filter(metadata -> metadata.state().isPrepared())
                .forEach(ends::writeMarkers);
    }

    /**
     * The node does not lead a partition of {@code __transaction_state} any more: what is known of it is forgotten.
     *
     * @param partition its number
     */
    public void onResignation(int partition) {
        states.unload(partition);
    }

    /** The node stops. Nothing is sent or written any more. */
    public void close() {
        closed = true;
        states.clear();
        ends.close();
    }

    /**
     * Whether this node coordinates an id.
     *
     * @param transactionalId the id
     * @return NONE if it does, else what to tell who asks
     */
    public Errors check(String transactionalId) {
        return states.check(transactionalId);
    }

    /**
     * What is known of an id.
     *
     * @param transactionalId an id that this node coordinates
     * @return its state, empty if nobody has used it
     */
    public Optional<TransactionMetadata> find(String transactionalId) {
        return states.find(transactionalId);
    }

    /** {@return whether the node leads a partition whose states it has not read yet} */
    public boolean isLoading() {
        return states.isLoading();
    }

    /** {@return all that is known here} */
    public List<TransactionMetadata> all() {
        return states.all();
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
        return inits.init(transactionalId, timeoutMs, expectedId, expectedEpoch);
    }

    /**
     * Gives an idempotent producer an id.
     *
     * @return its id and epoch 0, or why not
     */
    public ProducerIdentity initIdempotent() {
        return inits.initIdempotent();
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
        return states.write(stored.adding(all, version, loop.millis()));
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
            case PREPARE -> ends.prepare(stored, commit, version);
        };
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

    private void expire() {
        long now = loop.millis();
        long expiry = settings.number("transactional.id.expiration.ms");
        for (TransactionMetadata metadata : all()) {
            if (metadata.state() == TransactionState.ONGOING) {
                if (metadata.startMs() + metadata.timeoutMs() < now) {
                    ends.fence(metadata);
                }
            } else if (!metadata.state().isPrepared() && metadata.updatedMs() + expiry < now) {
                states.forget(metadata.transactionalId());
            }
        }
    }
}
