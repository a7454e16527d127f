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
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/**
 * The settings that do not depend on the kind of group.
 *
 * @param <B> what the methods return
 */
abstract class ProcessorSettingsBuilder<B extends ProcessorSettingsBuilder<B>> {

    final Map<String, Object> consumerProperties = new LinkedHashMap<>();
    final ProducerSettings.Builder producer = ProducerSettings.builder();
    final List<ProcessorListener> listeners = new ArrayList<>();
    List<String> inputTopics = List.of();

    @Nullable
    String transactionalIdPrefix;

    String instance = "0";
    int concurrency = 1;
    int maxAttempts = 3;

    @Nullable
    String deadLetterTopic;

    Duration pollTimeout = Duration.ofMillis(500);
    Duration shutdownTimeout = Duration.ofSeconds(30);
    Duration giveUpAfter = Duration.ofDays(365);
    int maxFencings = 5;
    RetryConfig recovery = RetryConfig.custom()
            .intervalFunction(
                    IntervalFunction.ofExponentialRandomBackoff(Duration.ofMillis(50), 2.0, 0.5, Duration.ofSeconds(5)))
            .build();

    ProcessorSettingsBuilder() {}

    /** {@return this, as what it is} */
    abstract B self();

    /**
     * Brokers for consumers and producers.
     *
     * @param servers host:port pairs, separated by commas
     * @return this
     */
    public B bootstrapServers(String servers) {
        return clientProperty("bootstrap.servers", servers);
    }

    /**
     * Input topics.
     *
     * @param topics at least one
     * @return this
     */
    public B inputTopics(String... topics) {
        this.inputTopics = List.of(topics);
        return self();
    }

    /**
     * Prefix of the transactional ids. Default: the group id.
     *
     * @param prefix not empty
     * @return this
     */
    public B transactionalIdPrefix(String prefix) {
        this.transactionalIdPrefix = prefix;
        return self();
    }

    /**
     * Name of this instance: unique among the live instances of the application, the same again after a restart.
     * Default {@code "0"}, which is right for an application of one instance.
     *
     * @param name not empty
     * @return this
     */
    public B instance(String name) {
        this.instance = name;
        return self();
    }

    /**
     * How many lanes: each is a thread with a consumer and two producers. Default 1.
     *
     * @param lanes from 1 to 1000
     * @return this
     */
    public B concurrency(int lanes) {
        this.concurrency = lanes;
        return self();
    }

    /**
     * How many records a transaction has at most, {@code max.poll.records}. Default 500. More records per transaction
     * is more throughput, and a longer wait until a record is visible.
     *
     * @param records at least 1
     * @return this
     */
    public B maxRecordsPerTransaction(int records) {
        return consumerProperty(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, records);
    }

    /**
     * How often a record is tried before it counts as one that cannot be processed. Default 3. Failures of the cluster
     * do not count.
     *
     * @param attempts at least 1
     * @return this
     */
    public B maxAttempts(int attempts) {
        this.maxAttempts = attempts;
        return self();
    }

    /**
     * Where records go that cannot be processed, with their own bytes and headers that say why; record and offset are
     * committed in one transaction. Without this the processor stops at such a record.
     *
     * <p>Key and value are the bytes that were read, the record's own headers come first, and these follow, each UTF-8
     * text of at most 2,000 characters:
     *
     * <table>
     * <caption>Headers of a dead letter</caption>
     * <tr><th>header</th><th>value</th></tr>
     * <tr><td>{@code kafkatxn.dead-letter.topic}</td><td>the topic it was read from</td></tr>
     * <tr><td>{@code kafkatxn.dead-letter.partition}</td><td>its partition there, a decimal number</td></tr>
     * <tr><td>{@code kafkatxn.dead-letter.offset}</td><td>its offset there, a decimal number</td></tr>
     * <tr><td>{@code kafkatxn.dead-letter.timestamp}</td><td>its timestamp there, milliseconds since 1970 (UTC)</td></tr>
     * <tr><td>{@code kafkatxn.dead-letter.group}</td><td>the group, or share group, that could not process it</td></tr>
     * <tr><td>{@code kafkatxn.dead-letter.attempts}</td><td>how often it has failed, as far as this processor
     * knows</td></tr>
     * <tr><td>{@code kafkatxn.dead-letter.exception}</td><td>the class of what it failed with last</td></tr>
     * <tr><td>{@code kafkatxn.dead-letter.message}</td><td>the message of that, {@code null} if it has none</td></tr>
     * </table>
     *
     * <p>A record that is dead-lettered again has each of these more than once; the last one is the latest.
     *
     * @param topic an existing topic
     * @return this
     */
    public B deadLetterTopic(String topic) {
        this.deadLetterTopic = topic;
        return self();
    }

    /**
     * How long a poll waits for records. Default 500 ms; a stop is noticed at once all the same.
     *
     * @param timeout at least 1 ms
     * @return this
     */
    public B pollTimeout(Duration timeout) {
        this.pollTimeout = Objects.requireNonNull(timeout, "pollTimeout");
        return self();
    }

    /**
     * How long a stop may take: the batch in progress is finished, cut short or aborted, then everything is closed.
     * Default 30 s.
     *
     * @param timeout at least 1 ms
     * @return this
     */
    public B shutdownTimeout(Duration timeout) {
        this.shutdownTimeout = Objects.requireNonNull(timeout, "shutdownTimeout");
        return self();
    }

    /**
     * Stop when recovering has failed for that long without one commit in between; after twice
     * {@code max.poll.interval.ms} without a failure the time begins anew. Default a year: the loop outlasts any
     * outage.
     *
     * @param time at least 1 ms
     * @return this
     */
    public B giveUpAfter(Duration time) {
        this.giveUpAfter = Objects.requireNonNull(time, "giveUpAfter");
        return self();
    }

    /**
     * How often within five minutes a lane takes a transactional id back from another producer before it concludes that
     * two live instances have the same name, and stops. Default 5.
     *
     * @param fencings at least 1
     * @return this
     */
    public B maxFencings(int fencings) {
        this.maxFencings = fencings;
        return self();
    }

    /**
     * The intervals between attempts to recover. The default begins at 50 ms and doubles up to 5 s, with jitter. Number
     * of attempts and predicates are not used.
     *
     * @param config the intervals
     * @return this
     */
    public B recovery(RetryConfig config) {
        this.recovery = Objects.requireNonNull(config, "recovery");
        return self();
    }

    /**
     * Sets one property of the consumers.
     *
     * @param name as in {@link ConsumerConfig}
     * @param value its value
     * @return this
     */
    public B consumerProperty(String name, Object value) {
        Objects.requireNonNull(name, "name of a property");
        consumerProperties.put(name, Objects.requireNonNull(value, () -> "value of the property " + name));
        return self();
    }

    /**
     * Sets one property of the producers.
     *
     * @param name as in {@link ProducerConfig}
     * @param value its value
     * @return this
     * @throws IllegalArgumentException for {@code transactional.id}: each producer has one of its own
     */
    public B producerProperty(String name, Object value) {
        ProcessorChecks.require(
                !ProducerConfig.TRANSACTIONAL_ID_CONFIG.equals(name),
                "transactional.id=" + value
                        + ": the ids are made of transactionalIdPrefix, instance and lane; set those");
        producer.property(name, value);
        return self();
    }

    /**
     * Sets one property of the consumers and of the producers, such as those for TLS and SASL.
     *
     * @param name its name
     * @param value its value
     * @return this
     */
    public B clientProperty(String name, Object value) {
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
    public B transactionListener(TransactionListener listener) {
        producer.listener(listener);
        return self();
    }

    /**
     * Adds somebody to be told about what the processor does.
     *
     * @param listener safe for several threads
     * @return this
     */
    public B listener(ProcessorListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
        return self();
    }
}
