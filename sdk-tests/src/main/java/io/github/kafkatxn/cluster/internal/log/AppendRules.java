package io.github.kafkatxn.cluster.internal.log;

import io.github.kafkatxn.cluster.internal.metadata.NodeSettings;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
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
        boolean verified) {

    /**
     * The rules of a topic.
     *
     * @param configs what was set for it
     * @param settings what holds for everything that was not
     * @return the rules
     */
    public static AppendRules of(Map<String, String> configs, NodeSettings settings) {
        Config config = (topicName, nodeName) -> {
            String value = configs.get(topicName);
            return value == null ? settings.text(nodeName) : value;
        };
        return new AppendRules(
                Integer.parseInt(config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "message.max.bytes")),
                TimestampType.forName(
                        config.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "log.message.timestamp.type")),
                Long.parseLong(config.get(
                        TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG, "log.message.timestamp.before.max.ms")),
                Long.parseLong(config.get(
                        TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, "log.message.timestamp.after.max.ms")),
                List.of(config.get(TopicConfig.CLEANUP_POLICY_CONFIG, "log.cleanup.policy")
                                .split(","))
                        .contains(TopicConfig.CLEANUP_POLICY_COMPACT),
                settings.flag("transaction.partition.verification.enable"));
    }

    private interface Config {
        String get(String topicName, String nodeName);
    }
}
