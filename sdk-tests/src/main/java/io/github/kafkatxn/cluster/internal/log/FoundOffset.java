package io.github.kafkatxn.cluster.internal.log;

/**
 * A record that was looked for.
 *
 * @param offset its offset
 * @param timestamp its timestamp
 * @param leaderEpoch of the leader that wrote it
 */
public record FoundOffset(long offset, long timestamp, int leaderEpoch) {}
