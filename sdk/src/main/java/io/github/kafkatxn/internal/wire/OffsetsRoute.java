package io.github.kafkatxn.internal.wire;

/** How offsets went out, and why not by topic id. */
public enum OffsetsRoute {
    /** TxnOffsetCommit version 6. */
    TOPIC_IDS,
    /** Version 5: the coordinator has no version 6. */
    OLD_COORDINATOR,
    /** Version 5: the cluster has no id for one of the topics. */
    TOPIC_WITHOUT_ID
}
