package io.github.kafkatxn.cluster.internal.group;

import org.apache.kafka.common.Uuid;

/**
 * An offset as it is stored.
 *
 * @param topicId the id of its topic when it was stored
 * @param offset the offset
 * @param leaderEpoch the leader epoch that goes with it, -1 if none was given
 * @param metadata what the committer wrote beside it, may be empty
 * @param commitTimestamp when it was stored, by the cluster's time
 * @param logOffset where its record lies in the log: of two, the one further on is the newer
 */
public record CommittedOffset(
        Uuid topicId, long offset, int leaderEpoch, String metadata, long commitTimestamp, long logOffset) {

    CommittedOffset at(long newLogOffset) {
        return new CommittedOffset(topicId, offset, leaderEpoch, metadata, commitTimestamp, newLogOffset);
    }

    /**
     * Whether somebody who asks for a topic by its id may see it.
     *
     * @param id an id, or the zero id of one who asks by name
     * @return whether it was stored for that topic
     */
    boolean belongsTo(Uuid id) {
        return id.equals(Uuid.ZERO_UUID) || topicId.equals(Uuid.ZERO_UUID) || topicId.equals(id);
    }
}
