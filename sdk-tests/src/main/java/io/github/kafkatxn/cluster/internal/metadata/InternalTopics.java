package io.github.kafkatxn.cluster.internal.metadata;

import java.util.Set;

/** The topics that the brokers keep for themselves. */
public final class InternalTopics {
    /** Offsets and members of groups. */
    public static final String OFFSETS = "__consumer_offsets";
    /** The states of transactional ids. */
    public static final String TRANSACTIONS = "__transaction_state";
    /** The states of records of share partitions. */
    public static final String SHARE_STATE = "__share_group_state";

    private static final Set<String> ALL = Set.of(OFFSETS, TRANSACTIONS, SHARE_STATE);

    private InternalTopics() {}

    /**
     * Whether a topic is one of them.
     *
     * @param topic its name
     * @return whether it is
     */
    public static boolean contains(String topic) {
        return ALL.contains(topic);
    }

    /**
     * The partition that a key belongs to.
     *
     * @param key a group, a transactional id, or {@code group:topicId:partition}
     * @param partitions how many partitions the internal topic has
     * @return the number of the partition
     */
    public static int partitionFor(String key, int partitions) {
        int hash = key.hashCode();
        return (hash == Integer.MIN_VALUE ? 0 : Math.abs(hash)) % partitions;
    }
}
