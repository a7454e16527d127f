package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.Processor;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.RecordTransform;
import io.github.kafkatxn.processor.StopReason;
import io.github.resilience4j.retry.RetryConfig;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * What the contract tests of the processor share: processors that are closed after each test, and their settings.
 *
 * <p>Tests run one after the other: some make the brokers stand still. Nothing may hang: every test ends within a
 * minute or fails, and leaves no thread of a processor behind.
 */
@Timeout(value = 90, threadMode = ThreadMode.SEPARATE_THREAD)
public abstract class ProcessorContract extends PipeContract {

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

    /** For subclasses. */
    protected ProcessorContract() {}

    @AfterEach
    void closeProcessors() {
        processors.forEach(Processor::close);
        processors.clear();
        eventually("the end of threads of closed processors")
                .untilAsserted(() -> assertThat(threads()).noneMatch(name -> name.startsWith("kafka-txn-lane")));
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

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }
}
