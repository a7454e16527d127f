package io.github.kafkatxn.cluster.internal.group;

import org.apache.kafka.common.Uuid;

/** Whether a member whose epoch is behind may still commit the offset of a partition (KIP-1251). */
@FunctionalInterface
interface CommitCheck {
    CommitCheck NONE = (topicId, partition) -> {};

    /** Throws what the whole request is answered with, if it may not. */
    void check(Uuid topicId, int partition);
}
