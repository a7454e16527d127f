package io.github.kafkatxn.processor;

import io.github.kafkatxn.producer.ProducerSettings;
import io.github.kafkatxn.producer.TransactionListener;
import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    public static final class Builder {
        private final Map<String, Object> consumerProperties = new LinkedHashMap<>();
        private final ProducerSettings.Builder producer = ProducerSettings.builder();
        private final List<ProcessorListener> listeners = new ArrayList<>();
        private List<String> inputTopics = List.of();
        private @Nullable String transactionalIdPrefix;
        private String instance = "0";
        private int concurrency = 1;
        private int maxAttempts = 3;
        private @Nullable String deadLetterTopic;
        private Duration pollTimeout = Duration.ofMillis(500);
        private Duration shutdownTimeout = Duration.ofSeconds(30);
        private Duration giveUpAfter = Duration.ofDays(365);
        private boolean shareGroup;
        private boolean atLeastOnce;
        private int maxDeliveries = 4;
        private int maxFencings = 5;
        private RetryConfig recovery = RetryConfig.custom()
                .intervalFunction(IntervalFunction.ofExponentialRandomBackoff(
                        Duration.ofMillis(50), 2.0, 0.5, Duration.ofSeconds(5)))
                .build();

        private Builder() {}

        /**
         * Brokers for consumers and producers.
         *
         * @param servers host:port pairs, separated by commas
         * @return this
         */
        public Builder bootstrapServers(String servers) {
            return clientProperty("bootstrap.servers", servers);
        }

        /**
         * Input topics.
         *
         * @param topics at least one
         * @return this
         */
        public Builder inputTopics(String... topics) {
            this.inputTopics = List.of(topics);
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
         * Prefix of the transactional ids. Default: the group id.
         *
         * @param prefix not empty
         * @return this
         */
        public Builder transactionalIdPrefix(String prefix) {
            this.transactionalIdPrefix = prefix;
            return this;
        }

        /**
         * Name of this instance: unique among the live instances of the application, the same again after a restart.
         * Default {@code "0"}, which is right for an application of one instance.
         *
         * @param name not empty
         * @return this
         */
        public Builder instance(String name) {
            this.instance = name;
            return this;
        }

        /**
         * How many lanes: each is a thread with a consumer and two producers. Default 1.
         *
         * @param lanes from 1 to 1000
         * @return this
         */
        public Builder concurrency(int lanes) {
            this.concurrency = lanes;
            return this;
        }

        /**
         * How many records a transaction has at most, {@code max.poll.records}. Default 500. More records per
         * transaction is more throughput, and a longer wait until a record is visible.
         *
         * @param records at least 1
         * @return this
         */
        public Builder maxRecordsPerTransaction(int records) {
            return consumerProperty(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, records);
        }

        /**
         * How often a record is tried before it counts as one that cannot be processed. Default 3. Failures of the
         * cluster do not count.
         *
         * @param attempts at least 1
         * @return this
         */
        public Builder maxAttempts(int attempts) {
            this.maxAttempts = attempts;
            return this;
        }

        /**
         * Where records go that cannot be processed, with their own bytes and headers that say why; record and offset
         * are committed in one transaction. Without this the processor stops at such a record.
         *
         * @param topic an existing topic
         * @return this
         */
        public Builder deadLetterTopic(String topic) {
            this.deadLetterTopic = topic;
            return this;
        }

        /**
         * How long a poll waits for records. Default 500 ms; a stop is noticed at once all the same.
         *
         * @param timeout at least 1 ms
         * @return this
         */
        public Builder pollTimeout(Duration timeout) {
            this.pollTimeout = Objects.requireNonNull(timeout, "pollTimeout");
            return this;
        }

        /**
         * How long a stop may take: the batch in progress is finished, cut short or aborted, then everything is closed.
         * Default 30 s.
         *
         * @param timeout at least 1 ms
         * @return this
         */
        public Builder shutdownTimeout(Duration timeout) {
            this.shutdownTimeout = Objects.requireNonNull(timeout, "shutdownTimeout");
            return this;
        }

        /**
         * Stop when recovering has failed for that long without one commit in between; after twice
         * {@code max.poll.interval.ms} without a failure the time begins anew. Default a year: the loop outlasts any
         * outage.
         *
         * @param time at least 1 ms
         * @return this
         */
        public Builder giveUpAfter(Duration time) {
            this.giveUpAfter = Objects.requireNonNull(time, "giveUpAfter");
            return this;
        }

        /**
         * How often within five minutes a lane takes a transactional id back from another producer before it concludes
         * that two live instances have the same name, and stops. Default 5.
         *
         * @param fencings at least 1
         * @return this
         */
        public Builder maxFencings(int fencings) {
            this.maxFencings = fencings;
            return this;
        }

        /**
         * The intervals between attempts to recover. The default begins at 50 ms and doubles up to 5 s, with jitter.
         * Number of attempts and predicates are not used.
         *
         * @param config the intervals
         * @return this
         */
        public Builder recovery(RetryConfig config) {
            this.recovery = Objects.requireNonNull(config, "recovery");
            return this;
        }

        /**
         * Sets one property of the consumers.
         *
         * @param name as in {@link ConsumerConfig}
         * @param value its value
         * @return this
         */
        public Builder consumerProperty(String name, Object value) {
            Objects.requireNonNull(name, "name of a property");
            consumerProperties.put(name, Objects.requireNonNull(value, () -> "value of the property " + name));
            return this;
        }

        /**
         * Sets one property of the producers.
         *
         * @param name as in {@link org.apache.kafka.clients.producer.ProducerConfig}
         * @param value its value
         * @return this
         */
        public Builder producerProperty(String name, Object value) {
            producer.property(name, value);
            return this;
        }

        /**
         * Sets one property of the consumers and of the producers, such as those for TLS and SASL.
         *
         * @param name its name
         * @param value its value
         * @return this
         */
        public Builder clientProperty(String name, Object value) {
            return consumerProperty(name, value).producerProperty(name, value);
        }

        /**
         * The producers' own settings: timeouts and retries. The transactional ids come from here.
         *
         * @return a builder, to be changed in place
         */
        public ProducerSettings.Builder producer() {
            return producer;
        }

        /**
         * Adds somebody to be told about transactions.
         *
         * @param listener safe for several threads
         * @return this
         */
        public Builder transactionListener(TransactionListener listener) {
            producer.listener(listener);
            return this;
        }

        /**
         * Adds somebody to be told about what the processor does.
         *
         * @param listener safe for several threads
         * @return this
         */
        public Builder listener(ProcessorListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
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
