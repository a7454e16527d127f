package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.cluster.fault.Fault;
import io.github.kafkatxn.cluster.fault.FaultRule;
import io.github.kafkatxn.processor.Guarantee;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.errors.InvalidRecordStateException;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where acknowledgements cannot be part of a transaction they follow it, and say so when they come too late: nothing is
 * lost, and what may come twice is told (scenarios C35 and C36).
 */
class ShareProcessorAtLeastOnceTest extends ShareFaults {
    ShareProcessorAtLeastOnceTest() {
        super(2);
    }

    @Test
    void anAcknowledgementThatComesTooLateIsAPossibleDuplicate() {
        Pipe pipe = quickPipe();
        feed(pipe, 0, 20);
        ProcessorEvents events = new ProcessorEvents();
        FaultRule late =
                cluster().faults().on(ApiKeys.SHARE_ACKNOWLEDGE).onCall(2).answerWith(Errors.INVALID_RECORD_STATE);

        startShare(settings(pipe).maxRecordsPerTransaction(10).listener(events), pipe.copy());
        late.awaitHit();
        eventually("the records come again").until(() -> events.processed() == 30);

        assertEachAtLeastOnce(pipe);
        assertThat(events.started()).containsExactly(Guarantee.AT_LEAST_ONCE);
        assertThat(events.possibleDuplicates())
                .singleElement()
                .satisfies(error -> assertThat(error.cause()).isInstanceOf(InvalidRecordStateException.class));
        assertThat(events.rewinds()).as("what is committed is not undone").isEmpty();
    }

    /** Nobody knows whether it was handled: it may come twice. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anAcknowledgementWithoutAnAnswerIsAPossibleDuplicate(boolean handled) {
        Pipe pipe = quickPipe();
        feed(pipe, 0, 20);
        ProcessorEvents events = new ProcessorEvents();
        Fault second = cluster().faults().on(ApiKeys.SHARE_ACKNOWLEDGE).onCall(2);
        FaultRule lost = handled ? second.closeAfterHandling() : second.closeBeforeHandling();

        startShare(settings(pipe).maxRecordsPerTransaction(10).listener(events), pipe.copy());
        lost.awaitHit();
        eventually("it is told").until(() -> !events.possibleDuplicates().isEmpty());
        awaitOutputs(pipe);

        assertEachAtLeastOnce(pipe);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCommitInDoubtIsAPossibleDuplicate(boolean committed) {
        Pipe pipe = quickPipe();
        feed(pipe, 0, 20);
        ProcessorEvents events = startWithACommitInDoubt(pipe, committed, pipe.copy());
        awaitOutputs(pipe);

        eventually("it is told").until(() -> !events.possibleDuplicates().isEmpty());
        assertEachAtLeastOnce(pipe);
    }

    private void assertEachAtLeastOnce(Pipe pipe) {
        closeProcessors();
        Set<String> outputs = new TreeSet<>(probe().committedValues(pipe.out()));
        assertThat(outputs).containsExactlyElementsOf(new TreeSet<>(pipe.fed()));
    }
}
