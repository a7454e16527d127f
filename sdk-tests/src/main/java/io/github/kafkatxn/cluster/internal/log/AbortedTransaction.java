package io.github.kafkatxn.cluster.internal.log;

/**
 * A transaction whose records a reader of committed records has to skip.
 *
 * @param producerId whose
 * @param firstOffset its first offset in the partition
 */
public record AbortedTransaction(long producerId, long firstOffset) {}
