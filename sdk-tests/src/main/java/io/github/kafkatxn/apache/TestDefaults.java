package io.github.kafkatxn.apache;

import java.util.Map;
import java.util.TreeMap;

/** Broker properties that suit tests: quick where a broker waits out of caution, small where it reserves memory. */
final class TestDefaults {
    private static final Map<String, String> FIXED = Map.ofEntries(
            Map.entry("auto.create.topics.enable", "false"),
            Map.entry("auto.leader.rebalance.enable", "false"),
            Map.entry("broker.heartbeat.interval.ms", "500"),

            // Groups form at once, and sessions may be short.
            Map.entry("group.initial.rebalance.delay.ms", "0"),
            Map.entry("group.min.session.timeout.ms", "100"),
            Map.entry("group.consumer.assignment.interval.ms", "0"),
            Map.entry("group.consumer.heartbeat.interval.ms", "500"),
            Map.entry("group.consumer.min.heartbeat.interval.ms", "50"),
            Map.entry("group.consumer.session.timeout.ms", "10000"),
            Map.entry("group.consumer.min.session.timeout.ms", "100"),
            Map.entry("group.share.assignment.interval.ms", "0"),
            Map.entry("group.share.heartbeat.interval.ms", "500"),
            Map.entry("group.share.min.heartbeat.interval.ms", "50"),
            Map.entry("group.share.session.timeout.ms", "10000"),
            Map.entry("group.share.min.session.timeout.ms", "100"),
            Map.entry("group.share.min.record.lock.duration.ms", "1000"),
            Map.entry("group.streams.initial.rebalance.delay.ms", "0"),

            // A transaction that timed out is aborted within half a second.
            Map.entry("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500"),

            // Four partitions show every effect of many.
            Map.entry("offsets.topic.num.partitions", "4"),
            Map.entry("transaction.state.log.num.partitions", "4"),
            Map.entry("share.coordinator.state.topic.num.partitions", "4"),

            // Memory and disk.
            Map.entry("log.cleaner.dedupe.buffer.size", "2097152"),
            Map.entry("log.segment.bytes", "67108864"),
            Map.entry("log.index.size.max.bytes", "1048576"),
            Map.entry("offsets.topic.segment.bytes", "8388608"),
            Map.entry("transaction.state.log.segment.bytes", "8388608"),
            Map.entry("share.coordinator.state.topic.segment.bytes", "8388608"));

    private TestDefaults() {}

    /** With three brokers or more, one may be lost; with two, both hold everything and one is enough. */
    static Map<String, String> of(int brokers) {
        String replicas = Integer.toString(Math.min(3, brokers));
        String inSync = brokers >= 3 ? "2" : "1";
        Map<String, String> properties = new TreeMap<>(FIXED);
        // A broker that was killed or paused is fenced after this; until then its id cannot come back either. Fencing
        // the
        // only broker helps nobody: it gets more time, for machines that are busy.
        properties.put("broker.session.timeout.ms", brokers == 1 ? "6000" : "4000");
        properties.put("default.replication.factor", replicas);
        properties.put("min.insync.replicas", inSync);
        properties.put("offsets.topic.replication.factor", replicas);
        properties.put("transaction.state.log.replication.factor", replicas);
        properties.put("transaction.state.log.min.isr", inSync);
        properties.put("share.coordinator.state.topic.replication.factor", replicas);
        properties.put("share.coordinator.state.topic.min.isr", inSync);
        return properties;
    }
}
