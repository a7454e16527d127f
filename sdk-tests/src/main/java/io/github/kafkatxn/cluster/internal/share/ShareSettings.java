package io.github.kafkatxn.cluster.internal.share;

import io.github.kafkatxn.cluster.internal.log.FoundOffset;
import io.github.kafkatxn.cluster.internal.log.PartitionLog;
import io.github.kafkatxn.cluster.internal.metadata.ClusterImage;
import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** What was set for a share group, else for all of them; looked up whenever it is needed. */
final class ShareSettings {
    private static final String BY_DURATION = "by_duration:";

    private final String group;
    private final Supplier<ClusterImage> image;
    private final NodeSettings settings;

    ShareSettings(String group, Supplier<ClusterImage> image, NodeSettings settings) {
        this.group = group;
        this.image = image;
        this.settings = settings;
    }

    long lockMs() {
        return number("share.record.lock.duration.ms", "group.share.record.lock.duration.ms");
    }

    int deliveryLimit() {
        return (int) number("share.delivery.count.limit", "group.share.delivery.count.limit");
    }

    int maxLocks() {
        return (int) number("share.partition.max.record.locks", "group.share.partition.max.record.locks");
    }

    boolean committedOnly() {
        return set().getOrDefault("share.isolation.level", "read_uncommitted").equals("read_committed");
    }

    boolean mayRenew() {
        return Boolean.parseBoolean(set().getOrDefault("share.renew.acknowledge.enable", "true"));
    }

    /** {@return where a share partition begins that nobody has begun; nowhere if no record is as young as was said} */
    OptionalLong firstOffset(PartitionLog log, long now) {
        String reset = set().getOrDefault("share.auto.offset.reset", "latest");
        if (reset.equals("earliest")) {
            return OptionalLong.of(log.startOffset());
        }
        if (reset.startsWith(BY_DURATION)) {
            long since =
                    now - Duration.parse(reset.substring(BY_DURATION.length())).toMillis();
            return log.firstWithTimestamp(since).stream()
                    .mapToLong(FoundOffset::offset)
                    .findFirst();
        }
        return OptionalLong.of(log.endOffset());
    }

    private long number(String name, String nodeName) {
        String value = set().get(name);
        return value == null ? settings.number(nodeName) : Long.parseLong(value);
    }

    private Map<String, String> set() {
        return image.get().groupConfigs(group);
    }
}
