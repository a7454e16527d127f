package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.StopReason.Kind;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A lane whose transactional id is taken, or whose transaction runs out of time, goes on with a new producer from what
 * is committed; two instances of one name do not do that to each other for ever. Scenarios C04, C09, C31.
 */
public abstract class ProcessorFencingContract extends ProcessorContract {

    /** For subclasses. */
    protected ProcessorFencingContract() {}

    /** C04: another producer takes the ids of a lane, between transactions and within one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aLaneTakesItsTransactionalIdBack(int turn) {
        Pipe pipe = pipe();
        ProcessorEvents events = new ProcessorEvents();
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch fenced = new CountDownLatch(1);
        AtomicInteger batch = new AtomicInteger();
        ProcessorSettings.Builder settings = settings(pipe, Protocol.CONSUMER, events);

        ExactlyOnceProcessor processor = start(settings, (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            // With the producer of the first or the second turn.
            if (record.value().equals("1:0000") && batch.getAndIncrement() == 0) {
                inTheMiddle.countDown();
                hold(fenced);
            }
        });
        if (turn == 1) {
            feed(pipe, 0, 1);
            awaitLagZero(pipe);
        }
        feed(pipe, 1, 10);
        await(inTheMiddle);
        takeOver(settings.build().transactionalId(0, turn));
        fenced.countDown();
        awaitLagZero(pipe);
        takeOver(settings.build().transactionalId(0, 0));
        takeOver(settings.build().transactionalId(0, 1));
        for (int i = 0; i < 4; i++) {
            feed(pipe, 0, 10);
            awaitLagZero(pipe);
        }

        assertExactlyOnce(pipe);
        assertThat(events.rebuilt()).contains(settings.build().transactionalId(0, turn));
        assertThat(processor.stopReason()).isEmpty();
        assertThat(probe().committedValues(pipe.dead())).isEmpty();
    }

    /** Of two instances of one name, one has to have it all: with an id each, both are fenced again and again. */
    @Test
    void aFencedLaneTakesAllItsTransactionalIdsBack() {
        Pipe pipe = pipe(1);
        ProcessorEvents events = new ProcessorEvents();
        ProcessorSettings.Builder settings = settings(pipe, Protocol.CONSUMER, events);
        start(settings, pipe.copy());
        feed(pipe, 0, 1);
        awaitLagZero(pipe);

        takeOver(settings.build().transactionalId(0, 0));
        takeOver(settings.build().transactionalId(0, 1));
        for (int i = 0; i < 4; i++) {
            feed(pipe, 0, 10);
            awaitLagZero(pipe);
        }

        assertExactlyOnce(pipe);
        assertThat(events.rebuilt()).hasSize(1);
    }

    /** C04: two live instances of one name; the one that has had enough says so, the other goes on. */
    @Test
    void twoInstancesOfOneNameDoNotFenceEachOtherForEver() {
        Pipe pipe = pipe();
        List<ExactlyOnceProcessor> both = new CopyOnWriteArrayList<>();

        for (int i = 0; i < 2; i++) {
            both.add(start(settings(pipe, Protocol.CONSUMER).maxFencings(2), pipe.copy()));
        }
        eventually("the end of one of them").until(() -> {
            feed(pipe, 0, 3);
            feed(pipe, 1, 3);
            return both.stream().anyMatch(processor -> processor.stopReason().isPresent());
        });

        ExactlyOnceProcessor over = both.stream()
                .filter(processor -> processor.stopReason().isPresent())
                .findFirst()
                .orElseThrow();
        assertThat(awaitStop(over).kind()).isEqualTo(Kind.FENCED);
        assertThat(awaitStop(over).message()).contains("same name", "instance must be unique");
        both.remove(over);
        feed(pipe, 0, 5);
        assertExactlyOnce(pipe);
        assertThat(both.get(0).stopReason()).isEmpty();
    }

    /** C09: once; the record is tried again and not counted as lost. */
    @Test
    void aTransformThatOutlivesTheTransaction() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 10);
        ProcessorEvents events = new ProcessorEvents();
        AtomicBoolean once = new AtomicBoolean();

        start(shortTransactions(pipe, events), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.offset() == 4 && once.compareAndSet(false, true)) {
                eventually("an open transaction").until(() -> probe().isOpen(pipe.out()));
                probe().awaitNothingOpen(pipe.out());
            }
        });

        assertExactlyOnce(pipe);
        assertThat(probe().committedValues(pipe.dead())).isEmpty();
    }

    /** C31: it never fits, whatever is tried: that is the record's fault. */
    @Test
    void aTransformThatAlwaysOutlivesTheTransaction() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 10);
        ProcessorEvents events = new ProcessorEvents();
        AtomicInteger attempts = new AtomicInteger();

        ExactlyOnceProcessor processor = start(shortTransactions(pipe, events).maxAttempts(2), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.offset() == 4) {
                attempts.incrementAndGet();
                eventually("an open transaction").until(() -> probe().isOpen(pipe.out()));
                probe().awaitNothingOpen(pipe.out());
            }
        });

        assertExactlyOnce(pipe);
        assertThat(probe().committedValues(pipe.dead())).containsExactly("0:0004");
        assertThat(attempts).hasValue(2);
        assertThat(processor.stopReason()).isEmpty();
    }

    /** What fits into half of the transaction's time is committed, the rest is for the next one. */
    @Test
    void aBatchThatDoesNotFitIsCut() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 10);
        ProcessorEvents events = new ProcessorEvents();
        AtomicBoolean once = new AtomicBoolean();

        start(settings(pipe, Protocol.CONSUMER, events), (record, outputs) -> {
            if (record.offset() == 2 && once.compareAndSet(false, true)) {
                long start = System.nanoTime();
                eventually("half of the transaction's time")
                        .until(() -> System.nanoTime() - start
                                > Duration.ofSeconds(5).toNanos());
            }
            outputs.send(pipe.out(), record.key(), record.value());
        });

        assertExactlyOnce(pipe);
        eventually("the records").until(() -> events.processed() == 10);
        assertThat(events.batches()).startsWith(3);
        assertThat(events.rewinds()).isEmpty();
    }

    private ProcessorSettings.Builder shortTransactions(Pipe pipe, ProcessorEvents events) {
        ProcessorSettings.Builder settings = settings(pipe, Protocol.CONSUMER, events)
                .producerProperty("delivery.timeout.ms", 1_800)
                .producerProperty("request.timeout.ms", 1_500);
        settings.producer().transactionTimeout(Duration.ofSeconds(2));
        return settings;
    }

    private void takeOver(String transactionalId) {
        Map<String, Object> config = new HashMap<>(target().adminConfig());
        config.put("transactional.id", transactionalId);
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
        }
    }
}
