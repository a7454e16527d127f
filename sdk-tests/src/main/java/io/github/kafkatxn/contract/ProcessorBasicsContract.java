package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.StopReason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Without trouble: every record is processed once, the committed offsets reach the end of the input whatever lies
 * behind the last record (C13), and the next instance goes on where the last one stopped.
 */
public abstract class ProcessorBasicsContract extends ProcessorContract {

    /** For subclasses. */
    protected ProcessorBasicsContract() {}

    @ParameterizedTest
    @EnumSource
    void everyRecordIsProcessedOnce(Protocol protocol) {
        Pipe pipe = pipe();
        feed(pipe, 0, 700);
        feed(pipe, 1, 600);
        ProcessorEvents events = new ProcessorEvents();

        ExactlyOnceProcessor processor = start(settings(pipe, protocol).listener(events), pipe.copy());
        awaitLagZero(pipe);
        feed(pipe, 0, 10);
        assertExactlyOnce(pipe);

        assertThat(events.processed()).isEqualTo(1310);
        assertThat(events.rewinds()).isEmpty();
        assertThat(processor.stopReason()).isEmpty();
        processor.close();
        assertThat(awaitStop(processor).kind()).isEqualTo(StopReason.Kind.REQUESTED);
    }

    @ParameterizedTest
    @EnumSource
    void lanesShareTheInput(Protocol protocol) {
        Pipe pipe = pipe(6);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        CountDownLatch three = new CountDownLatch(3);

        start(settings(pipe, protocol).concurrency(3), (record, outputs) -> {
            if (threads.add(Thread.currentThread())) {
                three.countDown();
            }
            outputs.send(pipe.out(), record.key(), record.value());
        });
        eventually("records on every lane").until(() -> {
            for (int i = 0; i < pipe.partitions(); i++) {
                feed(pipe, i, 20);
            }
            return three.getCount() == 0;
        });

        assertExactlyOnce(pipe);
        assertThat(threads).hasSize(3);
    }

    @ParameterizedTest
    @EnumSource
    void theNextInstanceGoesOnWhereTheLastOneStopped(Protocol protocol) {
        Pipe pipe = pipe();
        for (int i = 0; i < 3; i++) {
            feed(pipe, 0, 50);
            feed(pipe, 1, 30);
            ExactlyOnceProcessor processor = start(settings(pipe, protocol), pipe.copy());
            awaitLagZero(pipe);
            processor.close();
            assertThat(awaitStop(processor).isRequested()).isTrue();
        }
        assertExactlyOnce(pipe);
    }

    /** C13 (a), (d): behind the last record lie markers and aborted records. */
    @ParameterizedTest
    @EnumSource
    void lagReachesZeroBehindMarkersAndAbortedRecords(Protocol protocol) {
        Pipe pipe = pipe();
        appendInTransaction(pipe, 0, List.of("0:0", "0:1", "0:2"), true);
        appendInTransaction(pipe, 0, List.of("x", "y", "z"), false);
        appendInTransaction(pipe, 1, List.of("x"), false);
        ProcessorEvents events = new ProcessorEvents();

        start(settings(pipe, protocol).listener(events), pipe.copy());
        awaitLagZero(pipe);
        appendInTransaction(pipe, 1, List.of("y"), false);
        awaitLagZero(pipe);
        appendInTransaction(pipe, 1, List.of("1:0"), true);
        assertExactlyOnce(pipe);

        assertThat(events.processed()).isEqualTo(4);
    }

    /** C13 (b): what is committed for a part of a poll is not the poll's next offset. */
    @ParameterizedTest
    @EnumSource
    void aPartOfAPollCommitsNoMoreThanItsPart(Protocol protocol) {
        Pipe pipe = pipe(1);
        appendInTransaction(pipe, 0, List.of("0:0", "0:1", "0:2"), true);
        CountDownLatch again = new CountDownLatch(2);
        CountDownLatch asked = new CountDownLatch(1);

        ExactlyOnceProcessor processor = start(settings(pipe, protocol), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.offset() == 2) {
                again.countDown();
                if (again.getCount() == 0) {
                    hold(asked);
                }
                throw new IllegalStateException("not yet");
            }
        });
        await(again);
        eventually("the first two records")
                .untilAsserted(() -> assertThat(probe().committedOffset(pipe.group(), pipe.partition(0)))
                        .hasValue(2));
        processor.stop();
        asked.countDown();
        assertThat(awaitStop(processor).isRequested()).isTrue();

        start(settings(pipe, protocol), pipe.copy());
        assertExactlyOnce(pipe);
    }

    /** C13 (c): an interceptor that rebuilds the poll, without its next offsets. */
    @ParameterizedTest
    @EnumSource
    void anInterceptorMayRebuildThePoll(Protocol protocol) {
        Pipe pipe = pipe();
        feed(pipe, 0, 30);
        feed(pipe, 1, 30);

        start(
                settings(pipe, protocol).consumerProperty("interceptor.classes", Rebuilding.class.getName()),
                pipe.copy());

        assertExactlyOnce(pipe);
    }

    /** Leaves an empty list where a partition had no records. */
    public static final class Rebuilding implements ConsumerInterceptor<byte[], byte[]> {

        /** Made by the client. */
        public Rebuilding() {}

        @Override
        public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
            Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> all = new LinkedHashMap<>();
            for (TopicPartition partition : records.partitions()) {
                all.put(new TopicPartition(partition.topic(), 1 - partition.partition()), List.of());
            }
            records.partitions().forEach(partition -> all.put(partition, records.records(partition)));
            return new ConsumerRecords<>(all, Map.of());
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

        @Override
        public void close() {}

        @Override
        public void configure(Map<String, ?> configs) {}
    }

    @Test
    void bytesGoThroughAsTheyAre() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 20);

        ExactlyOnceProcessor processor = closedAfterwards(ExactlyOnceProcessor.create(
                settings(pipe, Protocol.CONSUMER).build(),
                ByteArrayDeserializer::new,
                ByteArrayDeserializer::new,
                ByteArraySerializer::new,
                ByteArraySerializer::new,
                (record, outputs) -> outputs.send(pipe.out(), record.key(), record.value())));
        processor.start();

        assertExactlyOnce(pipe);
    }
}
