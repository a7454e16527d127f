package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static io.github.kafkatxn.contract.ClusterProbe.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.RecordTransform;
import io.github.kafkatxn.processor.ShareProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * What the tests of the processor of share groups share: groups that begin with the first record, workers, and the
 * question whether the group is done with everything.
 */
public abstract class ShareContract extends ProcessorContract {

    /** For subclasses. */
    protected ShareContract() {}

    /**
     * A group, input, outputs and dead letters, all new; locks last longer than a test.
     *
     * @param partitions of the input
     * @return their names
     */
    protected Pipe sharePipe(int partitions) {
        Pipe pipe = pipe(partitions);
        configureFromTheStart(pipe);
        return pipe;
    }

    /** {@return a pipe of one partition with locks that run out soon: what nobody knows to have is delivered again} */
    protected Pipe quickPipe() {
        Pipe pipe = sharePipe(1);
        withQuickLocks(pipe);
        return pipe;
    }

    /**
     * A pipe whose topics have replicas on three brokers, with locks that run out soon.
     *
     * @param partitions of the input
     * @return their names
     */
    protected Pipe replicatedPipe(int partitions) {
        Pipe names =
                new Pipe(unique("group"), unique("in"), unique("out"), unique("dead"), partitions, new ArrayList<>());
        get(probe().admin()
                .createTopics(List.of(
                        new NewTopic(names.in(), partitions, (short) 3),
                        new NewTopic(names.out(), 1, (short) 3),
                        new NewTopic(names.dead(), 1, (short) 3)))
                .all());
        configureFromTheStart(names);
        withQuickLocks(names);
        return names;
    }

    /**
     * Locks that run out soon.
     *
     * @param pipe the surroundings
     */
    protected void withQuickLocks(Pipe pipe) {
        configure(pipe, Map.of("share.record.lock.duration.ms", "2000"));
    }

    /**
     * A producer that is given up after three seconds without an answer.
     *
     * @param settings changed
     * @return the settings
     */
    protected static ProcessorSettings.Builder hasty(ProcessorSettings.Builder settings) {
        settings.producer().transactionTimeout(Duration.ofSeconds(3)).callTimeout(Duration.ofSeconds(1));
        return settings.producerProperty("max.block.ms", 500)
                .producerProperty("request.timeout.ms", 400)
                .producerProperty("delivery.timeout.ms", 900);
    }

    /**
     * A group that begins with the first record and skips what is aborted.
     *
     * @param pipe the surroundings
     */
    protected void configureFromTheStart(Pipe pipe) {
        configure(
                pipe,
                Map.of(
                        "share.auto.offset.reset",
                        "earliest",
                        "share.isolation.level",
                        "read_committed",
                        "share.delivery.count.limit",
                        "5",
                        "share.record.lock.duration.ms",
                        "60000"));
    }

    /**
     * Sets properties of the share group.
     *
     * @param pipe the surroundings
     * @param properties their names and values
     */
    protected void configure(Pipe pipe, Map<String, String> properties) {
        List<AlterConfigOp> operations = properties.entrySet().stream()
                .map(each ->
                        new AlterConfigOp(new ConfigEntry(each.getKey(), each.getValue()), AlterConfigOp.OpType.SET))
                .toList();
        get(probe().admin()
                .incrementalAlterConfigs(
                        Map.of(new ConfigResource(ConfigResource.Type.GROUP, pipe.group()), operations))
                .all());
    }

    /**
     * Settings that give up soon, with a dead-letter topic and the opt-in.
     *
     * @param pipe the surroundings
     * @return the settings
     */
    protected ProcessorSettings.Builder settings(Pipe pipe) {
        return share(pipe).deadLetterTopic(pipe.dead());
    }

    /**
     * Settings that give up soon, and stop at a record that cannot be processed.
     *
     * @param pipe the surroundings
     * @return the settings
     */
    protected ProcessorSettings.Builder share(Pipe pipe) {
        return exactlyOnceOnly(pipe).atLeastOnce();
    }

    /**
     * The same without the opt-in.
     *
     * @param pipe the surroundings
     * @return the settings
     */
    protected ProcessorSettings.Builder exactlyOnceOnly(Pipe pipe) {
        return impatient(pipe).shareGroupId(pipe.group());
    }

    /**
     * Starts a processor of strings; closed after the test.
     *
     * @param settings its settings
     * @param transform what it does
     * @return the processor
     */
    protected ShareProcessor startShare(
            ProcessorSettings.Builder settings, RecordTransform<String, String, String, String> transform) {
        ShareProcessor processor = closedAfterwards(ShareProcessor.create(
                settings.build(),
                StringDeserializer::new,
                StringDeserializer::new,
                StringSerializer::new,
                StringSerializer::new,
                transform));
        processor.start();
        return processor;
    }

    /**
     * Waits until each input record is there, as an output or as a dead letter.
     *
     * @param pipe the surroundings
     */
    protected void awaitOutputs(Pipe pipe) {
        // The cheap question first.
        eventually("as many records behind as before the processor")
                .until(() -> probe().logEnd(pipe.out()) + probe().logEnd(pipe.dead())
                        >= pipe.fed().size());
        eventually("all of it committed")
                .until(() -> probe().committedValues(pipe.out()).size()
                                + probe().committedValues(pipe.dead()).size()
                        >= pipe.fed().size());
    }

    /**
     * Shows that each input record is there once, and that the group delivers none of it any more: the next record it
     * delivers is one that comes later.
     *
     * @param pipe the surroundings
     */
    protected void assertAllDone(Pipe pipe) {
        awaitOutputs(pipe);
        assertEachOnceInAnyOrder(pipe);
        closeProcessors();
        List<String> all = List.copyOf(pipe.fed());
        for (int partition = 0; partition < pipe.partitions(); partition++) {
            append(pipe, partition, List.of("later"));
        }
        List<String> delivered = new ArrayList<>();
        consume(pipe, record -> delivered.add(record.value()), pipe.partitions());
        assertThat(delivered).containsOnly("later");
        pipe.fed().retainAll(all);
    }

    /**
     * A worker that releases what it is given, once it has so much.
     *
     * @param pipe the surroundings
     * @param worker told each record
     * @param count how many records
     */
    protected void consume(Pipe pipe, Consumer<ConsumerRecord<String, String>> worker, int count) {
        Map<String, Object> properties = new HashMap<>(target().adminConfig());
        properties.put("group.id", pipe.group());
        properties.put("share.acknowledgement.mode", "explicit");
        AtomicInteger given = new AtomicInteger();
        try (KafkaShareConsumer<String, String> consumer =
                new KafkaShareConsumer<>(properties, new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of(pipe.in()));
            eventually("records").pollInSameThread().until(() -> {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                    worker.accept(record);
                    consumer.acknowledge(record, AcknowledgeType.RELEASE);
                    given.incrementAndGet();
                }
                return given.get() >= count;
            });
            consumer.commitSync();
        }
    }
}
