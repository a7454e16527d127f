package io.github.kafkatxn.cluster.internal.txn;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/** Asks the coordinator of a transaction whether partitions belong to it, or adds them (KIP-890). */
@FunctionalInterface
public interface PartitionVerification {

    /** What is asked. */
    enum Mode {
        /** Whether they belong to it; if not, INVALID_TXN_STATE. */
        VERIFY_OR_INVALID_TXN_STATE,
        /** Whether they belong to it; if not, TRANSACTION_ABORTABLE. */
        VERIFY_OR_ABORTABLE,
        /** That they belong to it from now on. */
        ADD
    }

    /**
     * Asks. Called on the node's thread; does not wait.
     *
     * @param mode what is asked
     * @param transactionalId whose transaction
     * @param producerId its producer id
     * @param producerEpoch its epoch
     * @param partitions which
     * @param done told once, on the node's thread, what came of it for each partition
     */
    void verify(
            Mode mode,
            String transactionalId,
            long producerId,
            short producerEpoch,
            List<TopicPartition> partitions,
            Consumer<Map<TopicPartition, Errors>> done);
}
