package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.StopReason;
import io.github.kafkatxn.processor.StopReason.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A processor stops when it is asked to, in the time it is given, whatever it is doing, and leaves nothing open: the
 * next instance goes on without a wait. Scenario C29.
 */
public abstract class ProcessorStopContract extends ProcessorContract {

    /** For subclasses. */
    protected ProcessorStopContract() {}

    /** C29 (a): the record in progress is finished, and what is done is committed. */
    @ParameterizedTest
    @EnumSource
    void stopInTheMiddleOfABatch(Protocol protocol) {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 20);
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);

        ExactlyOnceProcessor processor = start(settings(pipe, protocol), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.offset() == 7) {
                inTheMiddle.countDown();
                hold(asked);
            }
        });
        await(inTheMiddle);
        processor.stop();
        asked.countDown();

        assertThat(awaitStop(processor).isRequested()).isTrue();
        assertExactlyOnce(pipe);
        assertThat(probe().members(pipe.group())).as("members left behind").isZero();
    }

    /** C29: a transform that waits for ever is interrupted, and its transaction is aborted. */
    @Test
    void aTransformThatHangsIsInterrupted() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 5);
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);

        ExactlyOnceProcessor processor =
                start(settings(pipe, Protocol.CONSUMER).shutdownTimeout(Duration.ofSeconds(4)), (record, outputs) -> {
                    outputs.send(pipe.out(), record.key(), record.value());
                    hanging.countDown();
                    never.await();
                });
        await(hanging);
        processor.close();

        assertThat(processor.stopReason().map(StopReason::isRequested)).hasValue(true);
        start(settings(pipe, Protocol.CONSUMER), pipe.copy());
        assertExactlyOnce(pipe);
    }

    /** C29: neither does it help to interrupt it, but close() returns, and so does run(). */
    @Test
    void aTransformThatIgnoresInterruptsHoldsUpNobody() throws InterruptedException {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 5);
        CountDownLatch hanging = new CountDownLatch(1);
        AtomicBoolean over = new AtomicBoolean();
        AtomicReference<@Nullable StopReason> reason = new AtomicReference<>();

        ExactlyOnceProcessor processor =
                create(settings(pipe, Protocol.CONSUMER).shutdownTimeout(Duration.ofSeconds(2)), (record, outputs) -> {
                    hanging.countDown();
                    while (!over.get()) {
                        Thread.onSpinWait();
                    }
                });
        Thread runner = new Thread(() -> reason.set(processor.run()));
        runner.start();
        try {
            await(hanging);
            processor.close();
            assertThat(processor.stopReason()).isEmpty();
            runner.join(20_000);
            assertThat(reason.get()).isNotNull();
        } finally {
            over.set(true);
        }
        assertThat(awaitStop(processor).isRequested()).isTrue();
    }

    /** C29 (b), (c): no answer comes while it stops. */
    @Test
    void stopWhileBrokersAreAway() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 20);
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch away = new CountDownLatch(1);

        // Longer calls than the stop may take.
        var settings = settings(pipe, Protocol.CONSUMER).shutdownTimeout(Duration.ofSeconds(4));
        settings.producer().callTimeout(Duration.ofSeconds(20)).property("max.block.ms", 20_000);
        ExactlyOnceProcessor processor = start(settings, (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.offset() == 7) {
                inTheMiddle.countDown();
                hold(away);
            }
        });
        await(inTheMiddle);
        whileBrokersAreAway(() -> {
            away.countDown();
            processor.close();
            assertThat(processor.stopReason().map(StopReason::isRequested)).hasValue(true);
        });

        start(settings(pipe, Protocol.CONSUMER), pipe.copy());
        assertExactlyOnce(pipe);
    }

    /** Brokers that are not there are waited for; a stop is not. */
    @Test
    void stopWhileWaitingForBrokersAtTheStart() throws InterruptedException {
        Pipe pipe = pipe(1);
        var settings = settings(pipe, Protocol.CONSUMER)
                .clientProperty("bootstrap.servers", "127.0.0.1:1")
                .shutdownTimeout(Duration.ofSeconds(80));
        settings.producer().callTimeout(Duration.ofSeconds(20)).property("max.block.ms", 20_000);

        ExactlyOnceProcessor processor = start(settings, pipe.copy());
        eventually("a wait for the brokers")
                .until(() -> Thread.getAllStackTraces().entrySet().stream()
                        .filter(thread -> thread.getKey().getName().startsWith("kafka-txn-lane"))
                        .anyMatch(thread -> java.util.Arrays.stream(thread.getValue())
                                .anyMatch(frame -> frame.getMethodName().equals("initTransactions"))));
        processor.stop();

        assertThat(processor.awaitStop(Duration.ofSeconds(15)).map(StopReason::kind))
                .hasValue(Kind.REQUESTED);
    }

    @Test
    void anInterruptOfRunStopsIt() throws InterruptedException {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 5);
        AtomicReference<@Nullable StopReason> reason = new AtomicReference<>();
        AtomicBoolean flag = new AtomicBoolean();
        ExactlyOnceProcessor processor = create(settings(pipe, Protocol.CONSUMER), pipe.copy());
        Thread runner = new Thread(() -> {
            reason.set(processor.run());
            flag.set(Thread.currentThread().isInterrupted());
        });
        runner.start();
        awaitLagZero(pipe);

        runner.interrupt();
        runner.join(20_000);

        assertThat(reason.get()).isNotNull().matches(StopReason::isRequested);
        assertThat(flag).isTrue();
        assertThat(processor.stopReason()).isPresent();
        assertExactlyOnce(pipe);
    }

    /** Nobody knows what an Error has left behind; but the transaction is over, long before its timeout. */
    @Test
    void anErrorStopsItAndLeavesNothingOpen() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 5);

        var settings = settings(pipe, Protocol.CONSUMER).consumerProperty("max.poll.interval.ms", 300_000);
        settings.producer().transactionTimeout(Duration.ofMinutes(4));
        ExactlyOnceProcessor processor = start(settings, (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.offset() == 3) {
                eventually("an open transaction").until(() -> probe().isOpen(pipe.out()));
                throw new OutOfMemoryError("said the transform");
            }
        });
        StopReason reason = awaitStop(processor);

        assertThat(reason.kind()).isEqualTo(Kind.UNEXPECTED);
        assertThat(reason.message()).contains("transform", "OutOfMemoryError", "said the transform");
        assertThat(probe().committedValues(pipe.out())).isEmpty();
        start(settings(pipe, Protocol.CONSUMER), pipe.copy());
        assertExactlyOnce(pipe);
    }

    /** One lane that cannot go on stops the others, and its reason is the one that is told. */
    @Test
    void oneLaneStopsAll() {
        Pipe pipe = pipe(2);
        feed(pipe, 1, 5);

        ExactlyOnceProcessor processor =
                start(withoutDeadLetters(pipe, Protocol.CONSUMER).concurrency(2).maxAttempts(1), (record, outputs) -> {
                    if (record.value().equals("1:0003")) {
                        throw new IllegalStateException("said the lane");
                    }
                    outputs.send(pipe.out(), record.key(), record.value());
                });
        StopReason reason = awaitStop(processor);

        assertThat(reason.kind()).isEqualTo(Kind.POISON_RECORD);
        assertThat(reason.message()).contains("said the lane");
        assertThat(probe().committedValues(pipe.out())).containsExactly("1:0000", "1:0001", "1:0002");
    }

    @Test
    void aTransformMayAskForTheStop() {
        Pipe pipe = pipe(1);
        feed(pipe, 0, 20);
        AtomicReference<@Nullable ExactlyOnceProcessor> self = new AtomicReference<>();

        ExactlyOnceProcessor processor = create(settings(pipe, Protocol.CONSUMER), (record, outputs) -> {
            outputs.send(pipe.out(), record.key(), record.value());
            if (record.offset() == 10) {
                Optional.ofNullable(self.get()).orElseThrow().close();
            }
        });
        self.set(processor);
        processor.start();

        assertThat(awaitStop(processor).isRequested()).isTrue();
        assertExactlyOnce(pipe);
    }

    @Test
    void itRunsOnce() {
        Pipe pipe = pipe(1);
        ExactlyOnceProcessor processor = start(settings(pipe, Protocol.CONSUMER), pipe.copy());
        assertThatIllegalStateException().isThrownBy(processor::start).withMessageContaining("started before");
        assertThatIllegalStateException().isThrownBy(processor::run).withMessageContaining("started before");
        processor.close();
        processor.close();

        ExactlyOnceProcessor closedFirst = create(settings(pipe, Protocol.CONSUMER), pipe.copy());
        closedFirst.close();
        assertThat(closedFirst.run().isRequested()).isTrue();
    }
}
