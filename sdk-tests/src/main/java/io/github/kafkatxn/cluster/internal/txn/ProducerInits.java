package io.github.kafkatxn.cluster.internal.txn;

import io.github.kafkatxn.cluster.internal.node.EventLoop;
import java.util.OptionalLong;
import org.apache.kafka.common.protocol.Errors;

/** Gives producers their ids and epochs. Belongs to the node's thread. */
final class ProducerInits {
    private final EventLoop loop;
    private final TransactionStates states;
    private final TransactionEnds ends;
    private final ProducerIds producerIds;

    ProducerInits(EventLoop loop, TransactionStates states, TransactionEnds ends, ProducerIds producerIds) {
        this.loop = loop;
        this.states = states;
        this.ends = ends;
        this.producerIds = producerIds;
    }

    /** {@return the id and epoch, once what an earlier producer left open is ended, or why not} */
    ProducerIdentity init(String transactionalId, int timeoutMs, long expectedId, short expectedEpoch) {
        Errors unavailable = states.check(transactionalId);
        if (unavailable != Errors.NONE) {
            return ProducerIdentity.refused(unavailable);
        }
        TransactionMetadata stored = states.find(transactionalId).orElse(null);
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
                ends.fence(stored);
                yield ProducerIdentity.refused(Errors.CONCURRENT_TRANSACTIONS);
            }
            case EMPTY, COMPLETE_COMMIT, COMPLETE_ABORT -> initialise(stored, timeoutMs, expectedEpoch);
            default -> ProducerIdentity.refused(Errors.CONCURRENT_TRANSACTIONS);
        };
    }

    /** {@return an id and epoch 0, or why not} */
    ProducerIdentity initIdempotent() {
        OptionalLong fresh = producerIds.take();
        return fresh.isPresent()
                ? ProducerIdentity.of(fresh.getAsLong(), (short) 0)
                : ProducerIdentity.refused(Errors.COORDINATOR_LOAD_IN_PROGRESS);
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
        Errors written = states.write(next);
        return written == Errors.NONE
                ? ProducerIdentity.of(next.producerId(), next.epoch())
                : ProducerIdentity.refused(written);
    }
}
