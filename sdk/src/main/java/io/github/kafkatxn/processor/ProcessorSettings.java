package io.github.kafkatxn.processor;

import io.github.kafkatxn.producer.ProducerSettings;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link Processor}: of an {@link ExactlyOnceProcessor} with a {@linkplain Builder#groupId consumer
 * group}, or of a {@link ShareProcessor} with a {@linkplain Builder#shareGroupId share group}. They are checked once in
 * {@link Builder#build()}, against each other too; immutable afterwards.
 *
 * <p>Each lane {@code n} uses two producers in turn, with the transactional ids {@code prefix-instance-n-0} and
 * {@code prefix-instance-n-1}: the instance must be unique among live instances and the same again after a restart (a
 * stateful set's pod name, a host name), since that is what ends at once what a crashed instance left open.
 */
public final class ProcessorSettings {
    private final List<String> inputTopics;
    private final String transactionalIdPrefix;
    private final String instance;
    private final int concurrency;
    private final int maxAttempts;
    private final @Nullable String deadLetterTopic;
    private final Duration pollTimeout;
    private final Duration shutdownTimeout;
    private final Duration giveUpAfter;
    private final Duration maxPollInterval;
    private final boolean shareGroup;
    private final boolean atLeastOnce;
    private final int maxDeliveries;
    private final int maxFencings;
    private final RetryConfig recovery;
    private final Map<String, Object> consumerProperties;
    private final ProducerSettings producer;
    private final List<ProcessorListener> listeners;

    private ProcessorSettings(
            Builder builder,
            String transactionalIdPrefix,
            Map<String, Object> consumerProperties,
            ProducerSettings producer,
            Duration maxPollInterval) {
        this.maxPollInterval = maxPollInterval;
        this.inputTopics = List.copyOf(builder.inputTopics);
        this.transactionalIdPrefix = transactionalIdPrefix;
        this.instance = builder.instance;
        this.concurrency = builder.concurrency;
        this.maxAttempts = builder.maxAttempts;
        this.deadLetterTopic = builder.deadLetterTopic;
        this.pollTimeout = builder.pollTimeout;
        this.shutdownTimeout = builder.shutdownTimeout;
        this.giveUpAfter = builder.giveUpAfter;
        this.shareGroup = builder.shareGroup;
        this.atLeastOnce = builder.atLeastOnce;
        this.maxDeliveries = builder.maxDeliveries;
        this.maxFencings = builder.maxFencings;
        this.recovery = builder.recovery;
        this.consumerProperties = Map.copyOf(consumerProperties);
        this.producer = producer;
        this.listeners = List.copyOf(builder.listeners);
    }

    /** {@return a builder with the defaults} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the settings that its producers share; their transactional ids differ} */
    public ProducerSettings producer() {
        return producer;
    }

    /** {@return the consumer's properties, without deserializers} */
    public Map<String, Object> consumerProperties() {
        return consumerProperties;
    }

    /** {@return how many lanes} */
    public int concurrency() {
        return concurrency;
    }

    /** {@return where records go that cannot be processed; nothing if the processor stops at them} */
    public Optional<String> deadLetterTopic() {
        return Optional.ofNullable(deadLetterTopic);
    }

    /**
     * The transactional id of a producer of this processor.
     *
     * @param lane number of the lane, from 0
     * @param turn 0 or 1
     * @return the id
     */
    public String transactionalId(int lane, int turn) {
        return transactionalIdPrefix + "-" + instance + "-" + lane + "-" + turn;
    }

    boolean isOfShareGroup() {
        return shareGroup;
    }

    boolean atLeastOnce() {
        return atLeastOnce;
    }

    int maxDeliveries() {
        return maxDeliveries;
    }

    String groupId() {
        return String.valueOf(consumerProperties.get(ConsumerConfig.GROUP_ID_CONFIG));
    }

    int maxRecordsPerTransaction() {
        return (int) ConsumerProperties.number(
                ConsumerProperties.parsed(consumerProperties), ConsumerConfig.MAX_POLL_RECORDS_CONFIG);
    }

    List<String> inputTopics() {
        return inputTopics;
    }

    int maxAttempts() {
        return maxAttempts;
    }

    Duration pollTimeout() {
        return pollTimeout;
    }

    Duration shutdownTimeout() {
        return shutdownTimeout;
    }

    Duration giveUpAfter() {
        return giveUpAfter;
    }

    int maxFencings() {
        return maxFencings;
    }

    RetryConfig recovery() {
        return recovery;
    }

    List<ProcessorListener> listeners() {
        return listeners;
    }

    Duration maxPollInterval() {
        return maxPollInterval;
    }

    String laneName(int lane) {
        return transactionalIdPrefix + "-" + instance + "-" + lane;
    }

    /** {@return the properties of one lane's consumer: what names a member must differ between lanes} */
    Map<String, Object> consumerProperties(int lane) {
        Map<String, Object> own = new LinkedHashMap<>(consumerProperties);
        own.putIfAbsent(ConsumerConfig.CLIENT_ID_CONFIG, laneName(lane));
        if (concurrency > 1) {
            own.computeIfPresent(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, (name, id) -> id + "-" + lane);
            own.computeIfPresent(
                    ConsumerConfig.CLIENT_ID_CONFIG,
                    (name, id) -> consumerProperties.containsKey(name) ? id + "-" + lane : id);
        }
        return own;
    }

    /** Collects settings; not safe for several threads. */
    public static final class Builder extends ProcessorSettingsBuilder<Builder> {
        private boolean shareGroup;
        private boolean atLeastOnce;
        private int maxDeliveries = 4;

        private Builder() {}

        @Override
        Builder self() {
            return this;
        }

        /**
         * The consumer group, {@code group.id}, for an {@link ExactlyOnceProcessor}. Also the prefix of the
         * transactional ids unless one is set.
         *
         * @param groupId not empty
         * @return this
         */
        public Builder groupId(String groupId) {
            this.shareGroup = false;
            return consumerProperty(ConsumerConfig.GROUP_ID_CONFIG, groupId);
        }

        /**
         * The share group, {@code group.id}, for a {@link ShareProcessor} (KIP-932). Also the prefix of the
         * transactional ids unless one is set.
         *
         * @param groupId not empty
         * @return this
         */
        public Builder shareGroupId(String groupId) {
            this.shareGroup = true;
            return consumerProperty(ConsumerConfig.GROUP_ID_CONFIG, groupId);
        }

        /**
         * Lets a {@link ShareProcessor} work where the cluster cannot take acknowledgements into a transaction
         * (KIP-1289, which no released broker can): it commits first and acknowledges then, so that outputs of a record
         * are seen more than once if it is delivered again in between. Without this it refuses to start there. Where
         * the cluster can, it is exactly once all the same.
         *
         * @return this
         */
        public Builder atLeastOnce() {
            this.atLeastOnce = true;
            return this;
        }

        /**
         * At which delivery of a share group a record is dead-lettered instead of tried, because its workers may have
         * died of it. Default 4; must be less than {@code share.delivery.count.limit} of the group, whose default is 5:
         * what is not finished at its last delivery is archived by the broker, so that a dead letter needs one in
         * reserve. Without a dead letter topic a record is tried as often as it is delivered.
         *
         * @param deliveries at least 2
         * @return this
         */
        public Builder maxDeliveries(int deliveries) {
            this.maxDeliveries = deliveries;
            return this;
        }

        /**
         * Checks the settings, each for itself and against the others.
         *
         * @return the settings
         * @throws IllegalArgumentException with the settings, their values and the allowed range
         */
        public ProcessorSettings build() {
            ProcessorChecks.topics(inputTopics, deadLetterTopic);
            ProcessorChecks.range("concurrency", concurrency, 1, 1000);
            ProcessorChecks.range("maxAttempts", maxAttempts, 1, Integer.MAX_VALUE);
            ProcessorChecks.range("maxFencings", maxFencings, 1, Integer.MAX_VALUE);
            ProcessorChecks.range("maxDeliveries", maxDeliveries, 2, Short.MAX_VALUE);
            ProcessorChecks.require(
                    shareGroup || !atLeastOnce, "atLeastOnce() is for share groups: set shareGroupId, or leave it out");
            ProcessorChecks.positive("pollTimeout", pollTimeout);
            ProcessorChecks.positive("shutdownTimeout", shutdownTimeout);
            ProcessorChecks.positive("giveUpAfter", giveUpAfter);
            ProcessorChecks.notBlank("instance", instance);
            Map<String, Object> consumer = shareGroup
                    ? ConsumerProperties.effectiveOfShareGroup(consumerProperties)
                    : ConsumerProperties.effective(consumerProperties);
            String prefix = transactionalIdPrefix != null
                    ? transactionalIdPrefix
                    : String.valueOf(consumer.get(ConsumerConfig.GROUP_ID_CONFIG));
            ProcessorChecks.notBlank("transactionalIdPrefix", prefix);
            ProducerSettings shared =
                    producer.transactionalId(prefix + "-" + instance).build();
            return new ProcessorSettings(this, prefix, consumer, shared, ConsumerProperties.check(consumer, shared));
        }
    }
}
