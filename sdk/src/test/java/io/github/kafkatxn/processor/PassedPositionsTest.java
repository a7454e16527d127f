package io.github.kafkatxn.processor;

import static io.github.kafkatxn.processor.Polls.A;
import static io.github.kafkatxn.processor.Polls.B;
import static io.github.kafkatxn.processor.Polls.C;
import static io.github.kafkatxn.processor.Polls.poll;
import static io.github.kafkatxn.processor.Polls.range;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PassedPositionsTest {
    private static final ConsumerRecords<byte[], byte[]> NOTHING = poll(List.of(), Map.of());

    private final PassedPositions passed = new PassedPositions();

    @Test
    void nothingIsDueWhileNothingWasPassed() {
        passed.polled(NOTHING);
        passed.polled(poll(A, 0, 3));

        assertThat(passed.areDue(NOTHING)).isFalse();
        assertThat(passed.alone()).isEmpty();
        Map<TopicPartition, OffsetAndMetadata> next = Map.of(A, at(4));
        assertThat(passed.with(next)).as("the hot path copies nothing").isSameAs(next);
    }

    @Test
    void areDueOnTheirOwnOnceNothingMoves() {
        ConsumerRecords<byte[], byte[]> moved = poll(List.of(), Map.of(A, at(5)));
        passed.polled(moved);
        assertThat(passed.areDue(moved))
                .as("there may be a record right behind")
                .isFalse();

        passed.polled(NOTHING);
        assertThat(passed.areDue(NOTHING)).isTrue();
        assertThat(passed.alone()).isEqualTo(Map.of(A, at(5)));
    }

    @Test
    void areDueSoonerOrLaterWhileTheInputIsAbortedWithoutEnd() {
        for (int i = 1; i < 10; i++) {
            ConsumerRecords<byte[], byte[]> moved = poll(List.of(), Map.of(A, at(i)));
            passed.polled(moved);
            assertThat(passed.areDue(moved)).as("poll %s", i).isFalse();
        }
        ConsumerRecords<byte[], byte[]> moved = poll(List.of(), Map.of(A, at(10)));
        passed.polled(moved);
        assertThat(passed.areDue(moved)).isTrue();
        assertThat(passed.alone()).isEqualTo(Map.of(A, at(10)));

        passed.committed();
        passed.polled(moved);
        assertThat(passed.areDue(moved)).as("counted anew").isFalse();
    }

    @Test
    void areCommittedWithTheNextBatchWhateverItsRecords() {
        passed.polled(poll(range(B, 0, 3), Map.of(A, at(5), B, at(4))));

        assertThat(passed.with(Map.of(B, at(4)))).isEqualTo(Map.of(A, at(5), B, at(4)));
        assertThat(passed.with(Map.of(C, at(1)))).isEqualTo(Map.of(A, at(5), C, at(1)));

        passed.committed();
        assertThat(passed.with(Map.of(B, at(4)))).isEqualTo(Map.of(B, at(4)));
        assertThat(passed.areDue(NOTHING)).isFalse();
    }

    @Test
    void surviveABatchThatFailsUntilTheirPartitionHasRecords() {
        passed.polled(poll(range(B, 0, 3), Map.of(A, at(5), B, at(4))));
        passed.polled(poll(B, 0, 3));
        assertThat(passed.alone()).isEqualTo(Map.of(A, at(5)));

        passed.polled(poll(A, 5, 6));
        assertThat(passed.alone()).as("its records say where it stands").isEmpty();
    }

    @Test
    void thePositionOfTheBatchItselfWins() {
        passed.polled(poll(List.of(), Map.of(A, at(5))));

        assertThat(passed.with(Map.of(A, at(9)))).isEqualTo(Map.of(A, at(9)));
    }

    @Test
    void forgetsPartitionsThatAreSomebodyElses() {
        passed.polled(poll(List.of(), Map.of(A, at(5), B, at(6))));

        passed.forget(Set.of(A));

        assertThat(passed.alone()).isEqualTo(Map.of(B, at(6)));
    }

    private static OffsetAndMetadata at(long offset) {
        return new OffsetAndMetadata(offset);
    }
}
