package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.Outputs;
import io.github.kafkatxn.processor.ProcessorListener;
import io.github.kafkatxn.processor.StopReason;
import io.github.kafkatxn.producer.TransactionListener;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.result.TxnError;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the application's code may do wrong costs no record. Scenario C27, as far as a processor calls user code. */
public abstract class ProcessorUsageContract extends ProcessorContract {

    /** For subclasses. */
    protected ProcessorUsageContract() {}

    /** C27: what listeners throw is logged. */
    @Test
    void listenersThatThrow() {
        Pipe pipe = pipe();
        feed(pipe, 0, 20);
        feed(pipe, 1, 20);
        ProcessorEvents events = new ProcessorEvents();

        start(
                settings(pipe, Protocol.CONSUMER, events)
                        .listener(new Thrower())
                        .transactionListener(new Thrower())
                        .maxAttempts(1),
                (record, outputs) -> {
                    outputs.send(pipe.out(), record.key(), record.value());
                    if (record.value().equals("0:0007")) {
                        throw new IllegalStateException("once");
                    }
                });

        assertExactlyOnce(pipe);
        assertThat(events.deadLetters()).hasSize(1);
        assertThat(events.processed()).isEqualTo(39);
    }

    /** Its output would not be in the transaction: the record has failed. */
    @Test
    void outputsUsedByAnotherThread() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 10);

        start(settings(pipe, Protocol.CONSUMER), (record, outputs) -> {
            if (record.offset() == 4) {
                CompletableFuture.runAsync(() -> outputs.send(pipe.out(), record.key(), record.value()))
                        .exceptionally(thrown -> null)
                        .join();
            } else {
                outputs.send(pipe.out(), record.key(), record.value());
            }
        });

        assertExactlyOnce(pipe);
        assertThat(probe().committedRecords(pipe.dead()))
                .singleElement()
                .satisfies(dead -> assertThat(new String(
                                dead.headers()
                                        .lastHeader("kafkatxn.dead-letter.message")
                                        .value(),
                                StandardCharsets.UTF_8))
                        .contains("used by thread"));
    }

    @Test
    void outputsUsedAfterwards() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 10);
        AtomicReference<@Nullable Outputs<String, String>> kept = new AtomicReference<>();

        start(settings(pipe, Protocol.CONSUMER), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            kept.set(outputs);
        });
        awaitLagZero(pipe);
        Outputs<String, String> late = Optional.ofNullable(kept.get()).orElseThrow();
        CompletableFuture<Void> used = CompletableFuture.runAsync(() -> late.send(pipe.out(), "key", "late"));
        feed(pipe, 0, 10);

        assertThat(used)
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableThat()
                .withCauseInstanceOf(IllegalStateException.class);
        assertExactlyOnce(pipe);
    }

    /** Its record would be committed without them: noticed in time, that ends the processor instead. */
    @Test
    void outputsUsedByAnotherThreadBetweenTheTransformAndTheCommit() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 1);

        ExactlyOnceProcessor processor = start(
                settings(pipe, Protocol.CONSUMER)
                        .producerProperty("linger.ms", 100)
                        .producerProperty("interceptor.classes", SendsOnceDelivered.class.getName()),
                (record, outputs) -> {
                    outputs.send(pipe.out(), record.key(), record.value());
                    SendsOnceDelivered.KEPT.set(() -> outputs.send(pipe.out(), record.key(), "late"));
                });
        StopReason reason = awaitStop(processor);
        SendsOnceDelivered.KEPT.set(() -> {});

        assertThat(reason.kind()).isEqualTo(StopReason.Kind.UNEXPECTED);
        assertThat(reason.message()).contains("Outputs was used by thread");
        assertThat(probe().committedValues(pipe.out())).isEmpty();
        assertThat(probe().committedOffset(pipe.group(), pipe.partition(0))).isEmpty();
    }

    /** No outputs at all is a transaction that only moves the offsets. */
    @Test
    void aTransformThatDropsEverything() {
        Pipe pipe = pipe();
        feed(pipe, 0, 20);
        ProcessorEvents events = new ProcessorEvents();

        start(settings(pipe, Protocol.CONSUMER, events), (record, outputs) -> {});

        awaitLagZero(pipe);
        eventually("the records").until(() -> events.processed() == 20);
        assertThat(probe().committedValues(pipe.out())).isEmpty();
    }

    /** On the client's I/O thread, when the transform has returned and its output is written. */
    public static final class SendsOnceDelivered implements ProducerInterceptor<Object, Object> {
        private static final AtomicReference<Runnable> KEPT = new AtomicReference<>(() -> {});

        /** Made by the client. */
        public SendsOnceDelivered() {}

        @Override
        public ProducerRecord<Object, Object> onSend(ProducerRecord<Object, Object> record) {
            return record;
        }

        @Override
        public void onAcknowledgement(RecordMetadata metadata, Exception exception) {
            Objects.requireNonNull(KEPT.get()).run();
        }

        @Override
        public void close() {
            // Has nothing.
        }

        @Override
        public void configure(Map<String, ?> configs) {
            // Needs nothing.
        }
    }

    private static final class Thrower implements ProcessorListener, TransactionListener {
        @Override
        public void onRewind(int lane, TxnError error, Map<TopicPartition, Long> positions) {
            throw new IllegalStateException("said the listener");
        }

        @Override
        public void onDeadLetter(int lane, TopicPartition partition, long offset, TxnError error) {
            throw new AssertionError("said the listener");
        }

        @Override
        public void onProcessed(int lane, int records) {
            throw new IllegalStateException("said the listener");
        }

        @Override
        public void onBegin(String transactionalId) {
            throw new AssertionError("said the listener");
        }

        @Override
        public void onEnd(String transactionalId, Outcome outcome, TransactionStats stats, Optional<TxnError> error) {
            throw new IllegalStateException("said the listener");
        }
    }
}
