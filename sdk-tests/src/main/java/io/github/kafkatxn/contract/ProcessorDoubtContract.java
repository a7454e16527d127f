package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.ProcessorListener.Settlement;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.RecordTransform;
import io.github.kafkatxn.processor.StopReason;
import io.github.kafkatxn.producer.TransactionListener.Outcome;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * A commit that is not answered is neither taken for done nor done again: it is settled, and the listener is told how.
 * Scenario C01, as far as a processor is concerned.
 *
 * <p>The brokers have to fall silent between the answer to the offsets and the commit. A quota makes the client wait
 * there: it has to keep quiet for a while after an answer, which the broker has told it.
 */
public abstract class ProcessorDoubtContract extends ProcessorContract {

    /** For subclasses. */
    protected ProcessorDoubtContract() {}

    /** C01 (c): the brokers answer while the commit is asked for again. */
    @Test
    void aCommitInDoubtIsAskedForAgain() {
        Pipe pipe = pipe(1);
        ProcessorEvents events = new ProcessorEvents();
        Gate gate = new Gate();

        start(patient(pipe, Protocol.CONSUMER, events), gate.copy(pipe));
        useBothProducers(pipe);
        whileACommitIsUnanswered(
                pipe,
                gate,
                () -> eventually("a commit in doubt")
                        .until(() -> !events.doubts().isEmpty()));

        eventually("how it was settled").until(() -> !events.settlements().isEmpty());
        assertThat(events.settlements()).containsExactly(Settlement.REPEATED);
        assertExactlyOnce(pipe);
    }

    /** C01 (d): it is given up, and the next producer and the committed offsets tell. */
    @Test
    void aCommitThatIsGivenUpIsSettledByItsSuccessor() {
        Pipe pipe = pipe(1);
        ProcessorEvents events = new ProcessorEvents();
        Gate gate = new Gate();
        start(patient(pipe, Protocol.CLASSIC, events), gate.copy(pipe));
        useBothProducers(pipe);
        whileACommitIsUnanswered(
                pipe,
                gate,
                () -> eventually("the commit to be given up")
                        .until(() -> events.ends().contains(Outcome.ABANDONED)));

        eventually("how it was settled").until(() -> !events.settlements().isEmpty());
        assertThat(events.settlements()).hasSize(1).doesNotContain(Settlement.REPEATED);
        assertExactlyOnce(pipe);
        assertThat(events.processed()).isEqualTo(pipe.fed().size());
    }

    /** C29 (b): the processor is stopped meanwhile; the next instance finds out. */
    @Test
    void aStopLeavesTheDoubtToTheNextInstance() {
        Pipe pipe = pipe(1);
        ProcessorEvents events = new ProcessorEvents();
        Gate gate = new Gate();
        ExactlyOnceProcessor processor =
                start(patient(pipe, Protocol.CONSUMER, events).shutdownTimeout(Duration.ofSeconds(4)), gate.copy(pipe));
        useBothProducers(pipe);
        whileACommitIsUnanswered(pipe, gate, processor::close);

        assertThat(awaitStop(processor)).matches(StopReason::isRequested);
        start(settings(pipe, Protocol.CONSUMER), pipe.copy());
        assertExactlyOnce(pipe);
    }

    /** One name for both producers, and time for what the quota costs. */
    private ProcessorSettings.Builder patient(Pipe pipe, Protocol protocol, ProcessorEvents events) {
        ProcessorSettings.Builder settings = settings(pipe, protocol, events)
                .producerProperty("client.id", pipe.group())
                .producerProperty("max.block.ms", 4_000)
                .producerProperty("delivery.timeout.ms", 7_000)
                .producerProperty("request.timeout.ms", 6_000);
        settings.producer().transactionTimeout(Duration.ofSeconds(8));
        return settings;
    }

    /** They know their brokers from then on: what is slow afterwards is the commit, not what has to be asked before. */
    private void useBothProducers(Pipe pipe) {
        for (int i = 0; i < 2; i++) {
            feed(pipe, 0, 5);
            awaitLagZero(pipe);
        }
    }

    /** Feeds, and makes the brokers fall silent once the commit of what was fed is being waited for. */
    private void whileACommitIsUnanswered(Pipe pipe, Gate gate, Runnable action) {
        gate.shut();
        Runnable asBefore = slowByTheCommit(pipe, () -> {
            feed(pipe, 0, 5);
            eventually("an output").until(() -> probe().isOpen(pipe.out()));
        });
        AtomicBoolean committing = new AtomicBoolean();
        AtomicBoolean over = new AtomicBoolean();
        Thread watcher = new Thread(() -> {
            while (!over.get() && !committing.get()) {
                committing.set(isCommitting(pipe.group()));
            }
        });
        watcher.start();
        try {
            gate.open();
            eventually("a commit").until(committing::get);
            whileBrokersAreAway(action);
        } finally {
            over.set(true);
            asBefore.run();
        }
    }

    /**
     * A broker lets the first request under a new quota pass, and the connection has to be slow by the time the commit
     * goes over it. Under version 1 the offsets take the same way before; under version 2 only the outputs do.
     */
    private Runnable slowByTheCommit(Pipe pipe, Runnable firstOutput) {
        if (target().transactionVersion() < 2) {
            firstOutput.run();
            return target().slowAnswers(pipe.group());
        }
        Runnable asBefore = target().slowAnswers(pipe.group());
        firstOutput.run();
        return asBefore;
    }

    /** Holds a transform, behind its output. */
    private static final class Gate {
        private volatile CountDownLatch latch = new CountDownLatch(0);

        void shut() {
            latch = new CountDownLatch(1);
        }

        void open() {
            latch.countDown();
        }

        RecordTransform<String, String, String, String> copy(Pipe pipe) {
            return (record, outputs) -> {
                outputs.send(pipe.out(), record.key(), record.value());
                hold(latch);
            };
        }
    }

    private static boolean isCommitting(String group) {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().startsWith("kafka-txn-lane " + group))
                .anyMatch(thread -> Arrays.stream(thread.getValue())
                        .anyMatch(frame -> frame.getMethodName().equals("commitTransaction")));
    }
}
