package io.github.kafkatxn.result;

import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TransactionAbortableException;
import org.apache.kafka.common.protocol.Errors;

/** What the client throws in situations that it has no class of its own for, in the words of kafka-clients 4.4.0. */
final class Thrown {
    private Thrown() {}

    static Throwable errorState(Errors code) {
        return errorState(code.exception());
    }

    /** What every transactional method throws once the client has failed; the reason is its cause. */
    static Throwable errorState(Throwable reason) {
        return new KafkaException("Cannot execute transactional method because we are in an error state", reason);
    }

    static Throwable abortableBecauseOf(Errors code) {
        return new TransactionAbortableException("aborted after exhausting retries", code.exception());
    }

    static Throwable bareTransactionTimeout() {
        return new KafkaException(
                "Unexpected error in InitProducerIdResponse; " + Errors.INVALID_TRANSACTION_TIMEOUT.message());
    }

    static Throwable brokenState() {
        return new IllegalStateException(
                "Producer cannot execute transactional method because of previous invalid state transition attempt",
                new IllegalStateException("Invalid transition attempted from state READY to state FATAL_ERROR"));
    }

    static Throwable commitTimedOutBefore(String call) {
        return new IllegalStateException("Cannot attempt operation `" + call
                + "` because the previous call to `commitTransaction` timed out and must be retried");
    }

    static Throwable noOffset() {
        return new NoOffsetForPartitionException(new TopicPartition("in", 0));
    }

    static Throwable invalidNeighbour() {
        return new KafkaException(
                "Failed to append record because it was part of a batch which had one more more invalid records");
    }
}
