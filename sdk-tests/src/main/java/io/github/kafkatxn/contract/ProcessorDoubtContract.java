package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.contract.KafkaTarget.KeptAnswers;
import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.ProcessorListener.Settlement;
import io.github.kafkatxn.processor.ProcessorSettings;
import io.github.kafkatxn.processor.StopReason;
import io.github.kafkatxn.producer.TransactionListener.Outcome;
import java.time.Duration;
import org.apache.kafka.common.protocol.ApiKeys;
import org.junit.jupiter.api.Test;

/**
 * A commit that is not answered is neither taken for done nor done again: it is settled, and the listener is told how.
 * Scenario C01, as far as a processor is concerned: the answer is kept back on the way.
 */
public abstract class ProcessorDoubtContract extends ProcessorContract {

    /** For subclasses. */
    protected ProcessorDoubtContract() {}

    /** C01 (c): the brokers answer while the commit is asked for again. */
    @Test
    void aCommitInDoubtIsAskedForAgain() {
        Pipe pipe = pipe(1);
        ProcessorEvents events = new ProcessorEvents();
        start(patient(pipe, Protocol.CONSUMER, events), pipe.copy());
        useBothProducers(pipe);

        whileACommitIsUnanswered(
                pipe,
                () -> eventually("a commit in doubt")
                        .until(() -> !events.doubts().isEmpty()));

        eventually("how it was settled").until(() -> !events.settlements().isEmpty());
        assertThat(events.settlements()).containsExactly(Settlement.REPEATED);
        assertExactlyOnce(pipe);
    }

    /** C01 (d): it is done and given up, and the next producer and the committed offsets tell. */
    @Test
    void aCommitThatIsGivenUpIsSettledByItsSuccessor() {
        Pipe pipe = pipe(1);
        ProcessorEvents events = new ProcessorEvents();
        start(patient(pipe, Protocol.CLASSIC, events), pipe.copy());
        useBothProducers(pipe);

        whileACommitIsUnanswered(
                pipe,
                () -> eventually("the commit to be given up")
                        .until(() -> events.ends().contains(Outcome.ABANDONED)));

        eventually("how it was settled").until(() -> !events.settlements().isEmpty());
        assertThat(events.settlements()).containsExactly(Settlement.COMMITTED);
        assertExactlyOnce(pipe);
        assertThat(events.processed()).isEqualTo(pipe.fed().size());
    }

    /** C29 (b): the processor is stopped meanwhile; the next instance finds out. */
    @Test
    void aStopLeavesTheDoubtToTheNextInstance() {
        Pipe pipe = pipe(1);
        ProcessorEvents events = new ProcessorEvents();
        ExactlyOnceProcessor processor =
                start(patient(pipe, Protocol.CONSUMER, events).shutdownTimeout(Duration.ofSeconds(4)), pipe.copy());
        useBothProducers(pipe);

        whileACommitIsUnanswered(pipe, processor::close);

        assertThat(awaitStop(processor)).matches(StopReason::isRequested);
        start(settings(pipe, Protocol.CONSUMER), pipe.copy());
        assertExactlyOnce(pipe);
    }

    /** One name for both producers, and a way to the brokers that can be blocked. */
    private ProcessorSettings.Builder patient(Pipe pipe, Protocol protocol, ProcessorEvents events) {
        ProcessorSettings.Builder settings = settings(pipe, protocol, events)
                .producerProperty("client.id", pipe.group())
                .producerProperty("max.block.ms", 4_000)
                .producerProperty("delivery.timeout.ms", 7_000)
                .producerProperty("request.timeout.ms", 6_000);
        line().clientConfig().forEach(settings::clientProperty);
        settings.producer().transactionTimeout(Duration.ofSeconds(8));
        return settings;
    }

    /**
     * They know their brokers from then on: what takes long afterwards is the commit, not what has to be asked before.
     */
    private void useBothProducers(Pipe pipe) {
        for (int i = 0; i < 2; i++) {
            feed(pipe, 0, 5);
            awaitLagZero(pipe);
        }
    }

    /** Feeds, and keeps the answer to the commit back meanwhile. */
    private void whileACommitIsUnanswered(Pipe pipe, Runnable action) {
        try (KeptAnswers answers = line().keepAnswers(ApiKeys.END_TXN, pipe.group())) {
            feed(pipe, 0, 5);
            answers.await();
            action.run();
        }
    }
}
