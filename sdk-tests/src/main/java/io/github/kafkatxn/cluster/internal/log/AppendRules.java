package io.github.kafkatxn.cluster.internal.log;

import org.apache.kafka.common.record.TimestampType;

/**
 * What a topic asks of the batches that clients send.
 *
 * @param maxBatchBytes {@code max.message.bytes}
 * @param timestampType {@code message.timestamp.type}
 * @param timestampBeforeMaxMs {@code message.timestamp.before.max.ms}
 * @param timestampAfterMaxMs {@code message.timestamp.after.max.ms}
 * @param keysNeeded whether {@code cleanup.policy} names {@code compact}
 * @param verified whether the first batch of a transaction has to have been verified
 */
public record AppendRules(
        int maxBatchBytes,
        TimestampType timestampType,
        long timestampBeforeMaxMs,
        long timestampAfterMaxMs,
        boolean keysNeeded,
        boolean verified) {}
