package io.github.kafkatxn.cluster.internal.log;

import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.record.internal.RecordBatch;

/**
 * What a leader writes into the header of a batch, beside the offset.
 *
 * @param leaderEpoch the epoch it leads under
 * @param timestampType whose clock the timestamps are from
 * @param maxTimestamp the latest timestamp of the records; of all of them, if it is the leader's clock
 */
record LeaderFields(int leaderEpoch, TimestampType timestampType, long maxTimestamp) {

    /** For a batch whose timestamps stay as they are. */
    static LeaderFields keepingTime(int leaderEpoch, RecordBatch batch) {
        return new LeaderFields(leaderEpoch, batch.timestampType(), batch.maxTimestamp());
    }
}
