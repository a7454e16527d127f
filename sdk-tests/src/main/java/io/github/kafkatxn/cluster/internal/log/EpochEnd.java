package io.github.kafkatxn.cluster.internal.log;

/**
 * Where a leader epoch ended in a log.
 *
 * @param leaderEpoch the latest epoch that is not higher than the one asked for, -1 if that is not known
 * @param endOffset the offset behind its last record, -1 if that is not known
 */
public record EpochEnd(int leaderEpoch, long endOffset) {}
