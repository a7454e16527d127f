package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.kafkatxn.contract.KafkaTarget.BrokerControl;
import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.Processor;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.RecordTransform;
import io.github.kafkatxn.processor.StopReason;
import io.github.resilience4j.retry.RetryConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * What the contract tests of the processor share: processors that are closed after each test, input whose values say
 * where they stand, and the one question that is asked at the end of every test: is each input record there once,
 * either as an output or as a dead letter, for a reader that knows nothing of the processor.
 *
 * <p>Tests run one after the other: some make the brokers stand still. Nothing may hang: every test ends within a
 * minute or fails, and leaves no thread of a processor behind.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 90, threadMode = ThreadMode.SEPARATE_THREAD)
public abstract class ProcessorContract {

    /** The two ways a consumer can be a member of a group. */
    public enum Protocol {
        /** Joins and syncs, led by a member. */
        CLASSIC,
        /** KIP-848. */
        CONSUMER
    }

    /** What fails in tests passes soon: nothing is gained by waiting longer after each failure. */
    private static final RetryConfig SOON =
            RetryConfig.custom().waitDuration(Duration.ofMillis(50)).build();

    private final List<Processor> processors = new CopyOnWriteArrayList<>();
    private ClusterProbe probe;

    /** For subclasses. */
    @SuppressWarnings("NullAway.Init") // The probe is there from before the first test to after the last.
    protected ProcessorContract() {}

    /** {@return the Kafka to test on; the same one on every call} */
    protected abstract KafkaTarget target();

    @BeforeAll
    void openProbe() {
        probe = new ClusterProbe(target());
    }

    @AfterAll
    void closeProbe() {
        probe.close();
    }

    @AfterEach
    void closeProcessors() {
        processors.forEach(Processor::close);
        processors.clear();
        eventually("the end of threads of closed processors")
                .untilAsserted(() -> assertThat(threads()).noneMatch(name -> name.startsWith("kafka-txn-lane")));
    }

    /** {@return what is really there} */
    protected ClusterProbe probe() {
        return probe;
    }

    /**
     * A name nobody else uses.
     *
     * @param hint what for
     * @return the name
     */
    protected static String unique(String hint) {
        return hint + "-" + UUID.randomUUID();
    }

    /**
     * A new topic.
     *
     * @param hint what for
     * @param partitions how many partitions
     * @return its name
     */
    protected String topic(String hint, int partitions) {
        return probe.createTopic(unique(hint), partitions);
    }

    /** {@return a group, input of two partitions, outputs and dead letters, all new} */
    protected Pipe pipe() {
        return pipe(2);
    }

    /**
     * A group, input, outputs and dead letters, all new.
     *
     * @param partitions of the input
     * @return their names
     */
    protected Pipe pipe(int partitions) {
        return new Pipe(
                unique("group"),
                topic("in", partitions),
                topic("out", 1),
                topic("dead", 1),
                partitions,
                new ArrayList<>());
    }

    /**
     * The surroundings of one processor.
     *
     * @param group the consumer group
     * @param in the input topic
     * @param out the output topic, of one partition
     * @param dead the dead-letter topic, of one partition
     * @param partitions of the input
     * @param fed all values that were fed
     */
    protected record Pipe(String group, String in, String out, String dead, int partitions, List<String> fed) {

        /** {@return the transform that copies the input} */
        RecordTransform<String, String, String, String> copy() {
            return (record, outputs) -> outputs.send(out, record.key(), record.value());
        }

        TopicPartition partition(int number) {
            return new TopicPartition(in, number);
        }
    }

    /**
     * Settings that give up soon, with a dead-letter topic.
     *
     * @param pipe the surroundings
     * @param protocol of the group
     * @return the settings
     */
    protected ProcessorSettings.Builder settings(Pipe pipe, Protocol protocol) {
        return withoutDeadLetters(pipe, protocol).deadLetterTopic(pipe.dead());
    }

    /**
     * The same with somebody who is told everything.
     *
     * @param pipe the surroundings
     * @param protocol of the group
     * @param events told
     * @return the settings
     */
    protected ProcessorSettings.Builder settings(Pipe pipe, Protocol protocol, ProcessorEvents events) {
        return settings(pipe, protocol).listener(events).transactionListener(events);
    }

    /**
     * Settings that give up soon, and stop at a record that cannot be processed.
     *
     * @param pipe the surroundings
     * @param protocol of the group
     * @return the settings
     */
    protected ProcessorSettings.Builder withoutDeadLetters(Pipe pipe, Protocol protocol) {
        ProcessorSettings.Builder settings = impatient(pipe)
                .groupId(pipe.group())
                .consumerProperty("group.protocol", protocol.name().toLowerCase(Locale.ROOT));
        return protocol == Protocol.CLASSIC
                ? settings.consumerProperty("session.timeout.ms", 6_000).consumerProperty("heartbeat.interval.ms", 300)
                : settings;
    }

    /**
     * Settings that give up soon, without a group.
     *
     * @param pipe the surroundings
     * @return the settings
     */
    protected ProcessorSettings.Builder impatient(Pipe pipe) {
        ProcessorSettings.Builder settings = ProcessorSettings.builder()
                .inputTopics(pipe.in())
                .pollTimeout(Duration.ofMillis(100))
                .shutdownTimeout(Duration.ofSeconds(8))
                .recovery(SOON)
                .producerProperty("max.block.ms", 1_500)
                .consumerProperty("fetch.max.wait.ms", 20)
                .consumerProperty("max.poll.interval.ms", 20_000)
                .consumerProperty("metadata.max.age.ms", 1_000);
        target().clientConfig().forEach(settings::clientProperty);
        settings.producer().transactionTimeout(Duration.ofSeconds(10)).callTimeout(Duration.ofSeconds(4));
        return settings;
    }

    /**
     * Starts a processor of strings; closed after the test.
     *
     * @param settings its settings
     * @param transform what it does
     * @return the processor
     */
    protected ExactlyOnceProcessor start(
            ProcessorSettings.Builder settings, RecordTransform<String, String, String, String> transform) {
        ExactlyOnceProcessor processor = create(settings, transform);
        processor.start();
        return processor;
    }

    /**
     * A processor of strings that is not started; closed after the test.
     *
     * @param settings its settings
     * @param transform what it does
     * @return the processor
     */
    protected ExactlyOnceProcessor create(
            ProcessorSettings.Builder settings, RecordTransform<String, String, String, String> transform) {
        return closedAfterwards(ExactlyOnceProcessor.create(
                settings.build(),
                StringDeserializer::new,
                StringDeserializer::new,
                StringSerializer::new,
                StringSerializer::new,
                transform));
    }

    /**
     * Closes a processor after the test.
     *
     * @param processor the processor
     * @param <P> its type
     * @return the processor
     */
    protected <P extends Processor> P closedAfterwards(P processor) {
        processors.add(processor);
        return processor;
    }

    /**
     * Appends records to a partition of the input. Values are the partition and a number that counts up.
     *
     * @param pipe the surroundings
     * @param partition which partition
     * @param count how many
     */
    protected void feed(Pipe pipe, int partition, int count) {
        int from = (int) pipe.fed().stream()
                .filter(value -> value.startsWith(partition + ":"))
                .count();
        List<String> values = new ArrayList<>();
        for (int i = from; i < from + count; i++) {
            values.add("%d:%04d".formatted(partition, i));
        }
        append(pipe, partition, values);
    }

    /**
     * Appends records to a partition of the input.
     *
     * @param pipe the surroundings
     * @param partition which partition
     * @param values their values
     */
    @SuppressWarnings("FutureReturnValueIgnored") // closing the producer waits for what was sent
    protected void append(Pipe pipe, int partition, List<String> values) {
        try (var producer =
                new KafkaProducer<>(target().adminConfig(), new StringSerializer(), new StringSerializer())) {
            values.forEach(value -> producer.send(new ProducerRecord<>(pipe.in(), partition, "key", value)));
        }
        pipe.fed().addAll(values);
    }

    /**
     * Appends records to a partition of the input, in a transaction of its own.
     *
     * @param pipe the surroundings
     * @param partition which partition
     * @param values their values
     * @param commit whether they become visible
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the end of the transaction tells
    protected void appendInTransaction(Pipe pipe, int partition, List<String> values, boolean commit) {
        Map<String, Object> config = new HashMap<>(target().adminConfig());
        config.put("transactional.id", unique("feeder"));
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            values.forEach(value -> producer.send(new ProducerRecord<>(pipe.in(), partition, "key", value)));
            producer.flush();
            if (commit) {
                producer.commitTransaction();
                pipe.fed().addAll(values);
            } else {
                producer.abortTransaction();
            }
        }
        probe.awaitNothingOpen(pipe.in());
    }

    /**
     * Waits until the group has committed everything there is.
     *
     * @param pipe the surroundings
     */
    protected void awaitLagZero(Pipe pipe) {
        eventually("lag of zero")
                .untilAsserted(
                        () -> assertThat(probe.lag(pipe.group(), pipe.in())).isZero());
    }

    /**
     * Shows that all there is has been committed, and that each input record is there once.
     *
     * @param pipe the surroundings
     */
    protected void assertExactlyOnce(Pipe pipe) {
        awaitLagZero(pipe);
        assertEachOnce(pipe);
    }

    /**
     * Shows that each input record is there once, as an output or as a dead letter; outputs in the order of the input.
     *
     * @param pipe the surroundings
     */
    protected void assertEachOnce(Pipe pipe) {
        List<String> outputs = assertEachOnceInAnyOrder(pipe);
        for (int i = 0; i < pipe.partitions(); i++) {
            String prefix = i + ":";
            assertThat(outputs.stream().filter(value -> value.startsWith(prefix)))
                    .isSorted();
        }
    }

    /**
     * Shows that each input record is there once, as an output or as a dead letter.
     *
     * @param pipe the surroundings
     * @return the outputs
     */
    protected List<String> assertEachOnceInAnyOrder(Pipe pipe) {
        List<String> outputs = probe.committedValues(pipe.out());
        List<String> all = new ArrayList<>(outputs);
        all.addAll(probe.committedValues(pipe.dead()));
        assertThat(all).as("outputs and dead letters").containsExactlyInAnyOrderElementsOf(pipe.fed());
        return outputs;
    }

    /**
     * Waits for the end of a processor.
     *
     * @param processor the processor
     * @return why it has stopped
     */
    protected static StopReason awaitStop(Processor processor) {
        try {
            Optional<StopReason> reason = processor.awaitStop(Duration.ofSeconds(45));
            return reason.orElseThrow(() -> new AssertionError("the processor has not stopped"));
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted while the processor stops", e);
        }
    }

    /**
     * Waits for something the processor does.
     *
     * @param latch opened by it
     */
    protected static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).as("reached in time").isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /**
     * Lets a latch wait, in a transform.
     *
     * @param latch opened by the test
     */
    protected static void hold(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(30, TimeUnit.SECONDS)).as("released in time").isTrue();
    }

    /**
     * Does something while no broker answers, where the target can do that.
     *
     * @param action what to do; they go on afterwards
     */
    protected void whileBrokersAreAway(Runnable action) {
        Optional<BrokerControl> brokers = target().brokers();
        assumeTrue(brokers.isPresent(), "the target cannot make its brokers stand still");
        brokers.orElseThrow().pause();
        try {
            action.run();
        } finally {
            brokers.orElseThrow().resume();
        }
    }

    /**
     * What a dead letter says of itself.
     *
     * @param dead the dead letter
     * @param name of the header, without its prefix
     * @return the value
     */
    protected static String header(ConsumerRecord<String, String> dead, String name) {
        Header header = dead.headers().lastHeader("kafkatxn.dead-letter." + name);
        return new String(header.value(), StandardCharsets.UTF_8);
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }
}
