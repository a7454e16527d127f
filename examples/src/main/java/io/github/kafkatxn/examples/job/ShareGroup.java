package io.github.kafkatxn.examples.job;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.clients.admin.ShareGroupDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;

/** A group whose members have records, not partitions. What it needs is set at the brokers, not by its members. */
final class ShareGroup extends Group {
    /**
     * How often a record is delivered at most, the most that Apache Kafka allows: the one lane that stands still must
     * not cost a record that can be processed its last delivery on a machine where others stand still as well.
     */
    static final int DELIVERIES = 10;

    private static final String LOCK = "share.record.lock.duration.ms";
    private static final String LEAST_LOCK = "group.share.min.record.lock.duration.ms";

    /** Short, so that a worker is soon too slow for it; but not for one that only waits for a processor. */
    private static final int LOCK_MS = 3_000;

    ShareGroup(Admin admin, String name) {
        super(admin, name);
    }

    @Override
    void set() {
        Map<String, Object> settings = Map.of(
                "share.auto.offset.reset",
                "earliest",
                "share.isolation.level",
                "read_committed",
                "share.delivery.count.limit",
                DELIVERIES,
                LOCK,
                Math.max(LOCK_MS, leastLockMs()));
        alter(settings.entrySet().stream()
                .map(each -> new AlterConfigOp(
                        new ConfigEntry(each.getKey(), each.getValue().toString()), OpType.SET))
                .toList());
    }

    @Override
    void unset() {
        alter(config(new ConfigResource(ConfigResource.Type.GROUP, toString())).entries().stream()
                .filter(entry -> entry.source() == ConfigSource.DYNAMIC_GROUP_CONFIG)
                .map(entry -> new AlterConfigOp(new ConfigEntry(entry.name(), null), OpType.DELETE))
                .toList());
    }

    /** For how long a worker has a record without asking for it again. */
    Duration lock() {
        Config config = config(new ConfigResource(ConfigResource.Type.GROUP, toString()));
        return Duration.ofMillis(
                Long.parseLong(Objects.requireNonNull(config.get(LOCK)).value()));
    }

    /** Those that were killed are members until their sessions have expired. */
    @Override
    boolean isWholeNow(int members) {
        ShareGroupDescription now = Topics.finish(
                        "the group " + this + " could not be described",
                        admin().describeShareGroups(List.of(toString())).all())
                .values()
                .iterator()
                .next();
        return now.groupState() == GroupState.STABLE
                && now.members().size() >= members
                && now.members().stream()
                        .noneMatch(
                                member -> member.assignment().topicPartitions().isEmpty());
    }

    @Override
    KafkaFuture<Void> deleteNow() {
        return admin().deleteShareGroups(List.of(toString())).all();
    }

    /** The least that the brokers allow; the reference cluster allows everything. */
    private int leastLockMs() {
        Node any = Topics.finish(
                        "the brokers are not known", admin().describeCluster().nodes())
                .iterator()
                .next();
        ConfigEntry least = config(new ConfigResource(ConfigResource.Type.BROKER, any.idString()))
                .get(LEAST_LOCK);
        return least == null ? 0 : Integer.parseInt(least.value());
    }

    private Config config(ConfigResource resource) {
        return Topics.finish(
                "the settings of " + resource + " are not known",
                Objects.requireNonNull(
                        admin().describeConfigs(List.of(resource)).values().get(resource)));
    }

    private void alter(Collection<AlterConfigOp> operations) {
        Topics.finish(
                "the group " + this + " could not be set up",
                admin().incrementalAlterConfigs(
                                Map.of(new ConfigResource(ConfigResource.Type.GROUP, toString()), operations))
                        .all());
    }
}
