package io.github.kafkatxn.contract;

import static io.github.kafkatxn.contract.ClusterProbe.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.processor.ExactlyOnceProcessor;
import io.github.kafkatxn.processor.RecordTransform;
import io.github.kafkatxn.processor.StopReason;
import io.github.kafkatxn.processor.StopReason.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Topics that are not there, that go, and that come back as other ones. Scenarios C18, C19. */
public abstract class ProcessorTopicsContract extends ProcessorContract {

    /** For subclasses. */
    protected ProcessorTopicsContract() {}

    @Test
    void anInputTopicThatDoesNotExistIsNamed() {
        Pipe pipe = pipe(1);

        ExactlyOnceProcessor processor =
                start(settings(pipe, Protocol.CONSUMER).inputTopics(pipe.in(), "orders-mistyped"), pipe.copy());
        StopReason reason = awaitStop(processor);

        assertThat(reason.kind()).isEqualTo(Kind.CONFIGURATION);
        assertThat(reason.message()).contains("inputTopics", "no topic orders-mistyped");
    }

    @Test
    void aDeadLetterTopicThatDoesNotExistIsNamed() {
        Pipe pipe = pipe(1);

        ExactlyOnceProcessor processor =
                start(settings(pipe, Protocol.CONSUMER).deadLetterTopic("dead-mistyped"), pipe.copy());
        StopReason reason = awaitStop(processor);

        assertThat(reason.kind()).isEqualTo(Kind.CONFIGURATION);
        assertThat(reason.message()).contains("deadLetterTopic", "no topic dead-mistyped");
    }

    /** C18: the deleted topic holds up nothing but itself. */
    @ParameterizedTest
    @EnumSource
    void anInputTopicIsDeletedInTheMiddleOfABatch(Protocol protocol) {
        Pipe pipe = pipe(1);
        Pipe other = pipe(1);
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch deleted = new CountDownLatch(1);
        feed(other, 0, 10);

        ExactlyOnceProcessor processor =
                start(settings(pipe, protocol).inputTopics(pipe.in(), other.in()), (record, outputs) -> {
                    outputs.send(
                            record.topic().equals(pipe.in()) ? pipe.out() : other.out(), record.key(), record.value());
                    if (record.topic().equals(other.in()) && record.offset() == 3) {
                        inTheMiddle.countDown();
                        hold(deleted);
                    }
                });
        await(inTheMiddle);
        feed(pipe, 0, 10);
        probe().deleteTopic(other.in());
        deleted.countDown();

        assertExactlyOnce(pipe);
        assertThat(probe().committedValues(other.out())).doesNotHaveDuplicates();
        assertThat(processor.stopReason()).isEmpty();
    }

    /** C19: every offset of the old topic names a record of the new one, which nobody has seen. */
    @ParameterizedTest
    @EnumSource
    void anInputTopicIsRecreatedInTheMiddleOfABatch(Protocol protocol) {
        Pipe pipe = pipe(1);
        Pipe other = pipe(1);
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch recreated = new CountDownLatch(1);
        feed(pipe, 0, 10);
        List<String> old = List.copyOf(pipe.fed());
        pipe.fed().clear();

        start(settings(pipe, protocol).inputTopics(pipe.in(), other.in()), toBoth(pipe, other, inTheMiddle, recreated));
        await(inTheMiddle);
        feed(other, 0, 10);
        probe().deleteTopic(pipe.in());
        probe().createTopic(pipe.in(), 1);
        append(pipe, 0, numbered("0:n", 15));
        recreated.countDown();

        awaitEveryNewRecord(pipe, old);
        awaitLagZero(pipe);
        eventually("the other topic").until(() -> probe().lag(pipe.group(), other.in()) == 0);
        assertEachOnce(other);
    }

    /** C19: it is gone for a while, and what comes back is not taken for what was there. */
    @ParameterizedTest
    @EnumSource
    void anInputTopicComesBackLater(Protocol protocol) {
        Pipe pipe = pipe(1);
        Pipe other = pipe(1);
        CountDownLatch inTheMiddle = new CountDownLatch(1);
        CountDownLatch deleted = new CountDownLatch(1);
        feed(pipe, 0, 10);
        List<String> old = List.copyOf(pipe.fed());
        pipe.fed().clear();

        start(settings(pipe, protocol).inputTopics(pipe.in(), other.in()), toBoth(pipe, other, inTheMiddle, deleted));
        await(inTheMiddle);
        probe().deleteTopic(pipe.in());
        deleted.countDown();
        feed(other, 0, 10);
        eventually("the other topic").until(() -> probe().lag(pipe.group(), other.in()) == 0);
        assertEachOnce(other);
        probe().createTopic(pipe.in(), 1);
        append(pipe, 0, numbered("0:n", 15));

        awaitEveryNewRecord(pipe, old);
    }

    /** Stops at the fourth record of the first topic, once. */
    private static RecordTransform<String, String, String, String> toBoth(
            Pipe pipe, Pipe other, CountDownLatch inTheMiddle, CountDownLatch goOn) {
        return (record, outputs) -> {
            outputs.send(record.topic().equals(pipe.in()) ? pipe.out() : other.out(), record.key(), record.value());
            if (record.topic().equals(pipe.in()) && record.offset() == 3) {
                inTheMiddle.countDown();
                hold(goOn);
            }
        };
    }

    /** Of the old records, which went with their topic, some may be there; none twice. */
    private void awaitEveryNewRecord(Pipe pipe, List<String> old) {
        eventually("every record of the new topic")
                .untilAsserted(
                        () -> assertThat(probe().committedValues(pipe.out())).containsAll(pipe.fed()));
        List<String> all = new ArrayList<>(probe().committedValues(pipe.out()));
        assertThat(all).doesNotHaveDuplicates();
        all.removeAll(old);
        assertThat(all).containsExactlyElementsOf(pipe.fed());
    }

    private static List<String> numbered(String prefix, int count) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add("%s%04d".formatted(prefix, i));
        }
        return values;
    }
}
