package io.github.kafkatxn.cluster.internal.share;

import io.github.kafkatxn.cluster.internal.log.LedPartition;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import io.github.kafkatxn.cluster.internal.node.EventLoop;
import io.github.kafkatxn.cluster.internal.share.ShareStateShard.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** The share partitions that a node leads and has been asked for. Belongs to the node's thread. */
public final class SharePartitions {
    private final Map<SharePartitionKey, SharePartition> loaded = new HashMap<>();
    private final Map<SharePartitionKey, Loading> loading = new HashMap<>();
    private final EventLoop loop;
    private final Supplier<ClusterImage> image;
    private final NodeSettings settings;
    private final ShareStates states;

    /** Who waits until a share partition is read, and what has happened to it meanwhile. */
    private static final class Loading {
        private final List<BiConsumer<Errors, @Nullable SharePartition>> waiting = new ArrayList<>();
        private final List<Marker> markers = new ArrayList<>();
        private final LedPartition led;

        Loading(LedPartition led) {
            this.led = led;
        }
    }

    /**
     * Leads nothing yet.
     *
     * @param loop the node's thread and time
     * @param image what the node knows of the cluster
     * @param settings its configuration
     * @param states its way to the share coordinators
     */
    public SharePartitions(EventLoop loop, Supplier<ClusterImage> image, NodeSettings settings, ShareStates states) {
        this.loop = loop;
        this.image = image;
        this.settings = settings;
        this.states = states;
    }

    /**
     * A share partition, read if that has not happened yet.
     *
     * @param group the group
     * @param led the partition, which this node leads
     * @param done told the error, and the share partition if there is none
     */
    public void load(String group, LedPartition led, BiConsumer<Errors, @Nullable SharePartition> done) {
        SharePartitionKey key = key(group, led.id());
        SharePartition known = loaded.get(key);
        if (known != null) {
            done.accept(Errors.NONE, known);
            return;
        }
        Loading under = loading.get(key);
        if (under == null) {
            under = new Loading(led);
            loading.put(key, under);
            Loading started = under;
            states.read(key, led.leaderEpoch(), (error, stored) -> read(key, started, error, stored));
        }
        under.waiting.add(done);
    }

    /**
     * A share partition that has been read.
     *
     * @param group the group
     * @param partition its partition
     * @return it, empty if nobody has asked for it here
     */
    public Optional<SharePartition> find(String group, TopicIdPartition partition) {
        return Optional.ofNullable(loaded.get(key(group, partition)));
    }

    /**
     * A transaction has ended: what share groups have staged in it goes where it belongs.
     *
     * @param partition a partition that this node leads
     * @param marker its end, which a state partition has in its log
     * @param isFrom whether a share partition is kept in the state partition of the marker
     */
    public void end(TopicIdPartition partition, Marker marker, Predicate<SharePartitionKey> isFrom) {
        List.copyOf(loaded.values()).stream()
                .filter(share -> share.led().id().equals(partition) && isFrom.test(share.key()))
                .forEach(share -> share.end(marker));
        loading.forEach((key, under) -> {
            if (under.led.id().equals(partition)) {
                under.markers.add(marker);
            }
        });
    }

    /**
     * The node does not lead a partition any more.
     *
     * @param partition which
     */
    public void onResignation(TopicIdPartition partition) {
        List.copyOf(loaded.values()).stream()
                .filter(share -> share.led().id().equals(partition))
                .forEach(this::drop);
        List<SharePartitionKey> unread = loading.keySet().stream()
                .filter(key -> key.topicId().equals(partition.topicId()) && key.partition() == partition.partition())
                .toList();
        unread.forEach(key -> answer(key, Errors.NOT_LEADER_OR_FOLLOWER, null));
    }

    /**
     * Gives back what a member holds.
     *
     * @param group its group
     * @param memberId the member
     */
    public void release(String group, String memberId) {
        of(group).forEach(share -> share.release(memberId));
    }

    /**
     * Nobody of a group is here any more: its share partitions are read again when somebody comes.
     *
     * @param group the group
     */
    public void forget(String group) {
        of(group).stream().filter(share -> !share.isStaging()).forEach(this::drop);
    }

    private List<SharePartition> of(String group) {
        return loaded.values().stream()
                .filter(share -> share.key().group().equals(group))
                .toList();
    }

    private void read(SharePartitionKey key, Loading under, Errors error, @Nullable Stored stored) {
        if (loading.get(key) != under) {
            return;
        }
        if (stored == null) {
            answer(key, error == Errors.FENCED_LEADER_EPOCH ? Errors.NOT_LEADER_OR_FOLLOWER : error, null);
            return;
        }
        ShareSettings shareSettings = new ShareSettings(key.group(), image, settings);
        OptionalLong start = stored.startOffset() == ShareState.NO_OFFSET
                ? shareSettings.firstOffset(under.led.log(), loop.millis())
                : OptionalLong.of(stored.startOffset());
        if (start.isEmpty()) {
            answer(key, Errors.OFFSET_NOT_AVAILABLE, null);
            return;
        }
        SharePartition share =
                new SharePartition(key, under.led, loop, shareSettings, states, stored, start.getAsLong(), this::drop);
        under.markers.forEach(share::end);
        loaded.put(key, share);
        answer(key, Errors.NONE, share);
    }

    private void answer(SharePartitionKey key, Errors error, @Nullable SharePartition share) {
        Loading under = loading.remove(key);
        if (under != null) {
            under.waiting.forEach(each -> each.accept(error, share));
        }
    }

    private void drop(SharePartition share) {
        loaded.remove(share.key(), share);
        share.fence();
    }

    private static SharePartitionKey key(String group, TopicIdPartition partition) {
        return new SharePartitionKey(group, partition.topicId(), partition.partition());
    }
}
