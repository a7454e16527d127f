package io.github.kafkatxn.cluster.internal.metadata;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidList;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** Names, types, defaults and bounds as a broker has them. */
final class ConfigDefinitions {
    private static final String FOR_EVER = "9223372036854775807";
    private static final String SEVEN_DAYS = "604800000";

    private final ConfigDef definitions = new ConfigDef();

    private ConfigDefinitions() {}

    static ConfigDef ofTopics() {
        return new ConfigDefinitions()
                .add("cleanup.policy", ConfigDef.Type.LIST, "delete", ValidList.in("compact", "delete"))
                .any("compression.gzip.level", ConfigDef.Type.INT, "-1")
                .atLeast(1, "compression.lz4.level", ConfigDef.Type.INT, "9")
                .oneOf("compression.type", "producer", "uncompressed", "zstd", "lz4", "snappy", "gzip", "producer")
                .any("compression.zstd.level", ConfigDef.Type.INT, "3")
                .atLeast(0, "delete.retention.ms", ConfigDef.Type.LONG, "86400000")
                .atLeast(0, "file.delete.delay.ms", ConfigDef.Type.LONG, "60000")
                .atLeast(1, "flush.messages", ConfigDef.Type.LONG, FOR_EVER)
                .atLeast(0, "flush.ms", ConfigDef.Type.LONG, FOR_EVER)
                .atLeast(0, "index.interval.bytes", ConfigDef.Type.INT, "4096")
                .atLeast(1, "max.compaction.lag.ms", ConfigDef.Type.LONG, FOR_EVER)
                .atLeast(0, "max.message.bytes", ConfigDef.Type.INT, "1048588")
                .atLeast(0, "message.timestamp.after.max.ms", ConfigDef.Type.LONG, "3600000")
                .atLeast(0, "message.timestamp.before.max.ms", ConfigDef.Type.LONG, FOR_EVER)
                .oneOf("message.timestamp.type", "CreateTime", "CreateTime", "LogAppendTime")
                .any("min.cleanable.dirty.ratio", ConfigDef.Type.DOUBLE, "0.5")
                .atLeast(0, "min.compaction.lag.ms", ConfigDef.Type.LONG, "0")
                .atLeast(1, "min.insync.replicas", ConfigDef.Type.INT, "1")
                .any("preallocate", ConfigDef.Type.BOOLEAN, "false")
                .any("retention.bytes", ConfigDef.Type.LONG, "-1")
                .atLeast(-1, "retention.ms", ConfigDef.Type.LONG, SEVEN_DAYS)
                .atLeast(1048576, "segment.bytes", ConfigDef.Type.INT, "1073741824")
                .atLeast(4, "segment.index.bytes", ConfigDef.Type.INT, "10485760")
                .atLeast(0, "segment.jitter.ms", ConfigDef.Type.LONG, "0")
                .atLeast(1, "segment.ms", ConfigDef.Type.LONG, SEVEN_DAYS)
                .any("unclean.leader.election.enable", ConfigDef.Type.BOOLEAN, "false")
                .definitions;
    }

    static ConfigDef ofGroups() {
        return new ConfigDefinitions()
                .atLeast(1, "consumer.heartbeat.interval.ms", ConfigDef.Type.INT, "5000")
                .atLeast(1, "consumer.session.timeout.ms", ConfigDef.Type.INT, "45000")
                .add("share.auto.offset.reset", ConfigDef.Type.STRING, "latest", ConfigDefinitions::requireReset)
                .atLeast(1, "share.delivery.count.limit", ConfigDef.Type.INT, "5")
                .atLeast(1, "share.heartbeat.interval.ms", ConfigDef.Type.INT, "5000")
                .oneOf("share.isolation.level", "read_uncommitted", "read_committed", "read_uncommitted")
                .atLeast(1, "share.partition.max.record.locks", ConfigDef.Type.INT, "2000")
                .atLeast(1, "share.record.lock.duration.ms", ConfigDef.Type.INT, "30000")
                .any("share.renew.acknowledge.enable", ConfigDef.Type.BOOLEAN, "true")
                .atLeast(1, "share.session.timeout.ms", ConfigDef.Type.INT, "45000")
                .definitions;
    }

    private ConfigDefinitions any(String name, ConfigDef.Type type, String fallback) {
        return add(name, type, fallback, null);
    }

    private ConfigDefinitions atLeast(Number least, String name, ConfigDef.Type type, String fallback) {
        return add(name, type, fallback, Range.atLeast(least));
    }

    private ConfigDefinitions oneOf(String name, String fallback, String... allowed) {
        return add(name, ConfigDef.Type.STRING, fallback, ValidString.in(allowed));
    }

    private ConfigDefinitions add(
            String name, ConfigDef.Type type, String fallback, ConfigDef.@Nullable Validator allowed) {
        definitions.define(name, type, fallback, allowed, Importance.MEDIUM, "");
        return this;
    }

    private static void requireReset(String name, Object value) {
        String reset = value.toString();
        boolean named = reset.equals("latest") || reset.equals("earliest");
        if (!named && !isDuration(reset)) {
            throw new ConfigException(name, value, "latest, earliest or by_duration:<ISO 8601 duration>");
        }
    }

    private static boolean isDuration(String reset) {
        String prefix = "by_duration:";
        try {
            return reset.startsWith(prefix)
                    && !Duration.parse(reset.substring(prefix.length())).isNegative();
        } catch (DateTimeParseException e) {
            return false;
        }
    }
}
