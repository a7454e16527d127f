package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.processor.Guarantee;
import io.github.kafkatxn.processor.RecordTransform;
import io.github.kafkatxn.processor.ShareProcessor;
import io.github.kafkatxn.processor.StopReason;
import io.github.kafkatxn.processor.StopReason.Kind;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A processor of a share group, exactly once or at least once as the target can: nothing here makes a record come
 * twice, so that in both cases each is there once (KIP-932, KIP-1289; scenarios C35 and C36).
 */
public abstract class ShareProcessorContract extends ShareContract {

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

    /** What three workers have died of is not tried by a fourth one: the broker would not deliver it for ever. */
    @Test
    void aRecordThatWasDeliveredOftenIsDeadLetteredUntried() {
        Pipe pipe = sharePipe(1);
        feed(pipe, 0, 1);
        configure(pipe, Map.of("share.delivery.count.limit", "10"));
        // A fetch that is still under way when a worker goes can count as well.
        AtomicInteger deliveries = new AtomicInteger();
        while (deliveries.get() < 3) {
            consume(pipe, record -> deliveries.set(record.deliveryCount().orElseThrow()), 1);
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
                .satisfies(dead -> assertThat(dead.error().message())
                        .containsPattern("delivered [4-9] times, with maxDeliveries=4"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void maxDeliveriesAtTheLimitOfTheGroupIsRefused(int lanes) {
        Pipe pipe = sharePipe(1);
        StopReason reason =
                awaitStop(startShare(settings(pipe).concurrency(lanes).maxDeliveries(5), pipe.copy()));

        assertThat(reason.kind()).isEqualTo(Kind.CONFIGURATION);
        assertThat(reason.message()).contains("maxDeliveries=5", "share.delivery.count.limit=5");
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
}
