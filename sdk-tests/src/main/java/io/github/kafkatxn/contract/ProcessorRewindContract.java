package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.contract.ProcessorEvents.Rewind;
import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.ProcessorSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * After anything but a commit every partition goes on at or before its first unprocessed record: nothing is lost when
 * the next transaction is committed. Scenario C20.
 */
public abstract class ProcessorRewindContract extends ProcessorContract {

    /** For subclasses. */
    protected ProcessorRewindContract() {}

    /** C20: the handler throws in the middle of several partitions. */
    @ParameterizedTest
    @EnumSource
    void afterAFailureEveryPartitionGoesBack(Protocol protocol) {
        Pipe pipe = pipe(3);
        ProcessorEvents events = new ProcessorEvents();
        List<ConsumerRecord<String, String>> seen = new CopyOnWriteArrayList<>();
        AtomicInteger failedAt = new AtomicInteger(-1);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch more = new CountDownLatch(1);
        feed(pipe, 0, 1);

        start(settings(pipe, protocol, events), (record, outputs) -> {
            // While the first record is held all the others arrive, so that they come in one poll.
            if (record.value().equals("0:0000")) {
                first.countDown();
                hold(more);
            }
            seen.add(record);
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.value().equals("1:0002") && failedAt.compareAndSet(-1, seen.size())) {
                throw new IllegalStateException("once");
            }
        });
        await(first);
        feed(pipe, 0, 4);
        feed(pipe, 1, 5);
        feed(pipe, 2, 5);
        more.countDown();
        assertExactlyOnce(pipe);

        Rewind rewind = events.rewinds().get(0);
        assertThat(rewind.positions()).containsEntry(pipe.partition(1), 0L);
        List<ConsumerRecord<String, String>> afterwards = seen.subList(failedAt.get(), seen.size());
        rewind.positions()
                .forEach((partition, position) -> assertThat(afterwards.stream()
                                .filter(record -> record.partition() == partition.partition())
                                .findFirst()
                                .map(ConsumerRecord::offset))
                        .as("first record of %s after the failure", partition)
                        .hasValue(position));
    }

    /** C20 as a property: failures at any record, in any order, of several partitions and lanes. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void failuresAnywhereLoseNothing(long seed) {
        Pipe pipe = pipe(4);
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Integer> failures = new ConcurrentHashMap<>();
        for (int i = 0; i < pipe.partitions(); i++) {
            feed(pipe, i, 150);
        }
        pipe.fed().forEach(value -> failures.put(value, random.nextInt(100) < 4 ? 1 + random.nextInt(2) : 0));
        List<String> broken = new CopyOnWriteArrayList<>();
        Map<TopicPartition, Long> next = new ConcurrentHashMap<>();

        start(settings(pipe, Protocol.CONSUMER).concurrency(2).maxRecordsPerTransaction(70), (record, outputs) -> {
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            long expected = next.getOrDefault(partition, 0L);
            if (record.offset() > expected) {
                broken.add(record.value() + " came before " + expected);
            }
            next.put(partition, record.offset() + 1);
            outputs.send(pipe.out(), record.key(), record.value());
            if (failures.merge(record.value(), -1, Integer::sum) >= 0) {
                throw new IllegalStateException("not yet");
            }
        });

        assertExactlyOnce(pipe);
        assertThat(broken).as("records that were passed over, seed %d", seed).isEmpty();
        assertThat(probe().committedValues(pipe.dead())).isEmpty();
    }

    /** C20, variant: a partition goes to another member before the failed batch is done again. */
    @ParameterizedTest
    @EnumSource
    void aPartitionThatGoesElsewhereIsGoneOnWithThere(Protocol protocol) {
        Pipe pipe = pipe(3);
        for (int i = 0; i < pipe.partitions(); i++) {
            feed(pipe, i, 10);
        }
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch joined = new CountDownLatch(1);
        AtomicBoolean once = new AtomicBoolean();

        start(settings(pipe, protocol).instance("a"), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.offset() == 5 && once.compareAndSet(false, true)) {
                inTheMiddle.countDown();
                hold(joined);
                throw new IllegalStateException("once");
            }
        });
        await(inTheMiddle);
        ExactlyOnceProcessor second = start(settings(pipe, protocol).instance("b"), pipe.copy());
        eventually("two members").until(() -> probe().members(pipe.group()) == 2);
        joined.countDown();

        assertExactlyOnce(pipe);
        assertThat(second.stopReason()).isEmpty();
    }

    /** The offsets of a partition outlast the outage in which its batch failed. */
    @Test
    void anOutageInTheMiddleOfABatch() {
        Pipe pipe = pipe();
        ProcessorEvents events = new ProcessorEvents();
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch away = new CountDownLatch(1);
        feed(pipe, 0, 30);
        feed(pipe, 1, 30);

        start(settings(pipe, Protocol.CONSUMER, events), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.value().equals("0:0015")) {
                inTheMiddle.countDown();
                hold(away);
            }
        });
        await(inTheMiddle);
        whileBrokersAreAway(() -> {
            away.countDown();
            eventually("an unanswered call").until(() -> !events.retries().isEmpty());
        });

        assertExactlyOnce(pipe);
        assertThat(probe().committedValues(pipe.dead())).isEmpty();
    }

    /** Waiting for brokers is not the record's fault, also if a transaction may not take as long as a send waits. */
    @Test
    void anOutageThatOutlastsTheTransaction() {
        Pipe pipe = pipe(1);
        ProcessorEvents events = new ProcessorEvents();
        CountDownLatch before = new CountDownLatch(1);
        CountDownLatch away = new CountDownLatch(1);
        feed(pipe, 0, 3);
        ProcessorSettings.Builder settings =
                settings(pipe, Protocol.CONSUMER, events).maxAttempts(1);
        settings.producer().transactionTimeout(Duration.ofSeconds(1));

        start(settings, (record, outputs) -> {
            before.countDown();
            hold(away);
            outputs.send(pipe.out(), record.key(), record.value());
        });
        await(before);
        whileBrokersAreAway(() -> {
            away.countDown();
            // Version 1 wants the abort answered too before the batch is gone back to.
            eventually("a send that waited longer than the transaction may take")
                    .until(() -> !events.ends().isEmpty() || !events.retries().isEmpty());
        });

        assertExactlyOnce(pipe);
        assertThat(probe().committedValues(pipe.dead())).isEmpty();
    }
}
