package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static io.github.kafkatxn.contract.ClusterProbe.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.processor.Guarantee;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.RecordTransform;
import io.github.kafkatxn.processor.ShareProcessor;
import io.github.kafkatxn.processor.StopReason;
import io.github.kafkatxn.processor.StopReason.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A processor of a share group, exactly once or at least once as the target can: nothing here makes a record come
 * twice, so that in both cases each is there once (KIP-932, KIP-1289; scenarios C35 and C36).
 */
public abstract class ShareProcessorContract extends ProcessorContract {

    /** For subclasses. */
    protected ShareProcessorContract() {}

    /** {@return what a processor can promise on this target} */
    protected abstract Guarantee guarantee();

    @Test
    void everyRecordIsProcessedOnce() {
        Pipe pipe = sharePipe(2);
        feed(pipe, 0, 700);
        feed(pipe, 1, 600);
        ProcessorEvents events = new ProcessorEvents();

        ShareProcessor processor =
                startShare(settings(pipe).listener(events).maxRecordsPerTransaction(100), pipe.copy());
        awaitOutputs(pipe);
        feed(pipe, 0, 10);

        assertAllDone(pipe);
        assertThat(events.processed()).isEqualTo(1310);
        assertThat(events.batches()).allMatch(size -> size <= 100);
        assertThat(events.rewinds()).isEmpty();
        assertThat(events.possibleDuplicates()).isEmpty();
        assertThat(events.started()).containsExactly(guarantee());
        assertThat(processor.guarantee()).contains(guarantee());
        assertThat(awaitStop(processor).kind()).isEqualTo(Kind.REQUESTED);
    }

    @Test
    void workersShareOnePartition() {
        Pipe pipe = sharePipe(1);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        CountDownLatch three = new CountDownLatch(3);
        RecordTransform<String, String, String, String> transform = (record, outputs) -> {
            if (threads.add(Thread.currentThread())) {
                three.countDown();
            }
            hold(three);
            pipe.copy().transform(record, outputs);
        };
        ShareProcessor processor =
                startShare(settings(pipe).concurrency(3).consumerProperty("max.poll.records", 5), transform);
        eventually("the guarantee").until(() -> processor.guarantee().isPresent());
        // Not at once: one member would be given all of it.
        while (three.getCount() > 0) {
            feed(pipe, 0, 5);
        }
        assertAllDone(pipe);
    }

    @Test
    void aRecordThatCannotBeProcessedIsRejectedAndDeadLettered() {
        Pipe pipe = sharePipe(1);
        feed(pipe, 0, 40);
        ProcessorEvents events = new ProcessorEvents();
        AtomicInteger tries = new AtomicInteger();
        RecordTransform<String, String, String, String> transform = (record, outputs) -> {
            if (record.offset() == 17) {
                tries.incrementAndGet();
                throw new IllegalArgumentException("poison");
            }
            pipe.copy().transform(record, outputs);
        };
        startShare(settings(pipe).listener(events).maxAttempts(2), transform);
        assertAllDone(pipe);
        assertThat(events.deadLetters()).singleElement().satisfies(dead -> {
            assertThat(dead.offset()).isEqualTo(17);
            assertThat(dead.error().cause()).hasMessage("poison");
        });
        assertThat(tries).as("tries of the record").hasValue(2);
        assertThat(probe().committedRecords(pipe.dead())).singleElement().satisfies(record -> {
            assertThat(header(record, "exception")).isEqualTo(IllegalArgumentException.class.getName());
            assertThat(header(record, "offset")).isEqualTo("17");
            assertThat(header(record, "attempts")).isEqualTo("2");
        });
    }

    @Test
    void withoutDeadLettersItStopsAndGivesTheRestToOthers() {
        Pipe pipe = sharePipe(1);
        feed(pipe, 0, 10);
        RecordTransform<String, String, String, String> transform = (record, outputs) -> {
            if (record.offset() == 3) {
                throw new IllegalArgumentException("poison");
            }
            pipe.copy().transform(record, outputs);
        };
        StopReason reason = awaitStop(startShare(share(pipe).maxRecordsPerTransaction(2), transform));
        assertThat(reason.kind()).isEqualTo(Kind.POISON_RECORD);

        // The locks are longer than this test may be.
        startShare(settings(pipe), pipe.copy());
        assertAllDone(pipe);
    }

    @Test
    void afterAFailureTheSameRecordsAreTriedAgainUnderTheSameLocks() {
        Pipe pipe = sharePipe(1);
        feed(pipe, 0, 30);
        ProcessorEvents events = new ProcessorEvents();
        Map<Long, Integer> tried = new ConcurrentHashMap<>();
        Set<Short> deliveries = ConcurrentHashMap.newKeySet();
        RecordTransform<String, String, String, String> transform = (record, outputs) -> {
            pipe.copy().transform(record, outputs);
            record.deliveryCount().ifPresent(deliveries::add);
            if (tried.merge(record.offset(), 1, Integer::sum) == 1 && record.offset() % 10 == 9) {
                throw new IllegalStateException("once");
            }
        };
        startShare(settings(pipe).listener(events), transform);
        assertAllDone(pipe);
        assertThat(events.deadLetters()).isEmpty();
        assertThat(events.rewinds()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(deliveries).as("an abort costs no delivery").containsExactly((short) 1);
    }

    @Test
    void whatIsNotDoneWhenItStopsIsGivenToOthersAtOnce() {
        Pipe pipe = sharePipe(1);
        feed(pipe, 0, 10);
        CountDownLatch third = new CountDownLatch(1);
        RecordTransform<String, String, String, String> stuck = (record, outputs) -> {
            pipe.copy().transform(record, outputs);
            if (record.offset() == 3) {
                third.countDown();
                new CountDownLatch(1).await();
            }
        };
        ShareProcessor first = startShare(settings(pipe).shutdownTimeout(Duration.ofSeconds(4)), stuck);
        await(third);
        first.close();
        assertThat(awaitStop(first).kind()).isEqualTo(Kind.REQUESTED);

        // The locks are longer than this test may be.
        startShare(settings(pipe), pipe.copy());
        assertAllDone(pipe);
    }

    /** What four workers have died of is not tried by a fifth one: the broker would not deliver it again. */
    @Test
    void aRecordAtItsLastDeliveryIsDeadLetteredUntried() {
        Pipe pipe = sharePipe(1);
        feed(pipe, 0, 1);
        for (int delivery = 1; delivery < 5; delivery++) {
            consume(pipe, record -> {}, 1);
        }
        Set<Long> tried = ConcurrentHashMap.newKeySet();
        ProcessorEvents events = new ProcessorEvents();
        startShare(settings(pipe).listener(events), (record, outputs) -> {
            tried.add(record.offset());
            pipe.copy().transform(record, outputs);
        });
        assertAllDone(pipe);
        assertThat(tried).isEmpty();
        assertThat(events.deadLetters())
                .singleElement()
                .satisfies(dead ->
                        assertThat(dead.error().message()).contains("delivered for the 5th time", "maxDeliveries=5"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void maxDeliveriesAboveTheLimitOfTheGroupIsRefused(int lanes) {
        Pipe pipe = sharePipe(1);
        StopReason reason =
                awaitStop(startShare(settings(pipe).concurrency(lanes).maxDeliveries(6), pipe.copy()));

        assertThat(reason.kind()).isEqualTo(Kind.CONFIGURATION);
        assertThat(reason.message()).contains("maxDeliveries=6", "share.delivery.count.limit=5");
    }

    @Test
    void withoutTheOptInItStartsOnlyWhereItIsExactlyOnce() {
        Pipe pipe = sharePipe(1);
        feed(pipe, 0, 1);
        ShareProcessor processor = startShare(exactlyOnceOnly(pipe), pipe.copy());
        if (guarantee() == Guarantee.EXACTLY_ONCE) {
            assertAllDone(pipe);
            return;
        }
        StopReason reason = awaitStop(processor);
        assertThat(reason.kind()).isEqualTo(Kind.CONFIGURATION);
        assertThat(reason.message()).contains("KIP-1289", "share.version 3 (it is ", "atLeastOnce()");
        assertThat(processor.guarantee()).isEmpty();
    }

    /**
     * A group, input, outputs and dead letters, all new; locks last longer than a test.
     *
     * @param partitions of the input
     * @return their names
     */
    protected Pipe sharePipe(int partitions) {
        Pipe pipe = pipe(partitions);
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
        return pipe;
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

    private ProcessorSettings.Builder exactlyOnceOnly(Pipe pipe) {
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

    /** A worker that releases what it is given, once it has so much. */
    private void consume(Pipe pipe, Consumer<ConsumerRecord<String, String>> worker, int count) {
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
