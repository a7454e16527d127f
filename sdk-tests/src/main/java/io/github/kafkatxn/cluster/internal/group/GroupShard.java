package io.github.kafkatxn.cluster.internal.group;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** The groups of one partition of {@code __consumer_offsets}, as long as this node leads it. */
public final class GroupShard {
    private final GroupStore store;
    private final ClassicRebalance rebalance;
    private final ClassicJoin join;
    private final ClassicProtocol classic;
    private final ModernProtocol modern;
    private final ShareProtocol share;
    private final OffsetProtocol offsets;
    private final GroupInventory inventory;

    /** Reads everything from the log; members that are in it have a whole session from now on. */
    GroupShard(GroupContext context, LedPartition partition) {
        store = new GroupStore(context, partition);
        rebalance = new ClassicRebalance(store);
        join = new ClassicJoin(store, rebalance);
        modern = new ModernProtocol(store);
        share = new ShareProtocol(store);
        classic = new ClassicProtocol(store, rebalance, modern);
        offsets = new OffsetProtocol(store, classic);
        inventory = new GroupInventory(store);
        for (Group group : List.copyOf(store.groups())) {
            if (group instanceof ConsumerGroup consumer) {
                modern.restart(consumer);
            } else if (group instanceof ShareGroup shared) {
                share.restart(shared);
            } else if (group instanceof ClassicGroup loaded) {
                loaded.members().forEach(member -> rebalance.restartSession(loaded, member));
            }
        }
        dropDeletedTopics(context.image().get());
    }

    /** {@return JoinGroup} */
    public ClassicJoin join() {
        return join;
    }

    /** {@return the rest of the classic protocol} */
    public ClassicProtocol classic() {
        return classic;
    }

    /** {@return the consumer protocol} */
    public ModernProtocol modern() {
        return modern;
    }

    /** {@return the members of share groups} */
    public ShareProtocol share() {
        return share;
    }

    /** {@return committed and pending offsets} */
    public OffsetProtocol offsets() {
        return offsets;
    }

    /** {@return what an administrator sees of groups} */
    public GroupInventory inventory() {
        return inventory;
    }

    /**
     * The committed offsets of a group.
     *
     * @param group its id
     * @return them, by partition
     */
    public Map<TopicPartition, CommittedOffset> committed(String group) {
        return Map.copyOf(store.offsets().committed(group));
    }

    /**
     * The pending offsets of a group: those of transactions that have not ended.
     *
     * @param group its id
     * @return them, by producer id and partition
     */
    public Map<Long, Map<TopicPartition, CommittedOffset>> pending(String group) {
        return Map.copyOf(store.offsets().pending(group));
    }

    void endTransaction(long producerId, boolean commit) {
        store.offsets().endTransaction(producerId, commit);
    }

    void dropDeletedTopics(ClusterImage now) {
        store.deleteOffsets((partition, offset) -> now.topic(offset.topicId()).isEmpty());
    }

    void resign() {
        for (Group group : List.copyOf(store.groups())) {
            if (group instanceof ConsumerGroup consumer) {
                consumer.cancelTimers();
            } else if (group instanceof ShareGroup shared) {
                shared.cancelTimers();
            } else if (group instanceof ClassicGroup left) {
                rebalance.resign(left);
            }
        }
    }
}
