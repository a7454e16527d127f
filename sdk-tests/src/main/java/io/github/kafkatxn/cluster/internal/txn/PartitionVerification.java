package io.github.kafkatxn.cluster.internal.txn;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/** Asks the coordinator of a transactional id about partitions that this node leads (KIP-890). */
public final class PartitionVerification {

    /** What is asked, and what is told of a partition that is not in the transaction. */
    public enum Mode {
        /** Only asked; INVALID_TXN_STATE. */
        VERIFY_OR_INVALID_TXN_STATE,
        /** Only asked; TRANSACTION_ABORTABLE. */
        VERIFY_OR_ABORTABLE,
        /** The coordinator adds what is missing. */
        ADD
    }

    /**
     * Asks, and does not wait.
     *
     * @param mode what is asked
     * @param transactionalId the id
     * @param producerId the producer
     * @param producerEpoch its epoch
     * @param partitions partitions that are about to get the first batch of a transaction
     * @param done told once, on the node's thread: an error for each partition that must not get it
     */
    public void verify(
            Mode mode,
            String transactionalId,
            long producerId,
            short producerEpoch,
            List<TopicPartition> partitions,
            Consumer<Map<TopicPartition, Errors>> done) {
        throw new UnsupportedOperationException("not there yet: " + partitions);
    }
}
