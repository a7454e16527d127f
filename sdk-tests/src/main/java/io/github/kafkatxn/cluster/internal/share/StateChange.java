package io.github.kafkatxn.cluster.internal.share;

import java.util.List;

/**
 * What the leader of a share partition has to be kept.
 *
 * @param stateEpoch as it has read it
 * @param leaderEpoch of the leader
 * @param startOffset the first offset that was not done with before
 * @param completeCount how many from there on are done with
 * @param batches what is new
 */
public record StateChange(
        int stateEpoch, int leaderEpoch, long startOffset, int completeCount, List<StateBatch> batches) {}
