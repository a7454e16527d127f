package io.github.kafkatxn.processor;

import static io.github.kafkatxn.processor.Polls.A;
import static io.github.kafkatxn.processor.Polls.B;
import static io.github.kafkatxn.processor.Polls.C;
import static io.github.kafkatxn.processor.Polls.all;
import static io.github.kafkatxn.processor.Polls.names;
import static io.github.kafkatxn.processor.Polls.offsets;
import static io.github.kafkatxn.processor.Polls.poll;
import static io.github.kafkatxn.processor.Polls.range;
import static io.github.kafkatxn.processor.Polls.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.result.TxnError;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class BatchTest {
    private static final OffsetAndMetadata BEHIND_MARKERS = new OffsetAndMetadata(9, Optional.of(4), "");

    @Test
    void ofAWholePollStartsAtTheFirstRecordsAndEndsBehindTheLast() {
        Batch batch = Batch.of(poll(all(range(A, 3, 5), range(B, 0, 1))));

        assertThat(names(batch.records())).containsExactly("0@3", "0@4", "0@5", "1@0", "1@1");
        assertThat(offsets(batch.start())).isEqualTo(Map.of(A, 3L, B, 0L));
        assertThat(offsets(batch.next())).isEqualTo(Map.of(A, 6L, B, 2L));
        assertThat(batch.resume()).isEmpty();
        assertThat(batch.careful()).isFalse();
        assertThat(batch.deadLetter()).isNull();
    }

    @Test
    void ofSomeRecordsSaysWhereEachPartitionGoesOn() {
        ConsumerRecords<byte[], byte[]> polled = poll(all(range(A, 0, 3), range(B, 5, 7), range(C, 8, 9)));

        Batch batch = Batch.of(polled, all(firstOf(polled, A, 4), firstOf(polled, B, 1)));

        assertThat(offsets(batch.start())).as("all go back").isEqualTo(Map.of(A, 0L, B, 5L, C, 8L));
        assertThat(offsets(batch.next())).as("whole and partial ones").isEqualTo(Map.of(A, 4L, B, 6L));
        assertThat(offsets(batch.resume())).as("partial and untouched ones").isEqualTo(Map.of(B, 6L, C, 8L));
    }

    @Test
    void aPartitionToItsEndIsCommittedBehindTheMarkersThatFollow() {
        ConsumerRecords<byte[], byte[]> polled = poll(range(A, 0, 3), Map.of(A, BEHIND_MARKERS));

        assertThat(Batch.of(polled).next()).isEqualTo(Map.of(A, BEHIND_MARKERS));
        assertThat(Batch.of(polled, polled.records(A)).next()).isEqualTo(Map.of(A, BEHIND_MARKERS));
        assertThat(offsets(Batch.of(polled, firstOf(polled, A, 3)).next())).isEqualTo(Map.of(A, 3L));
    }

    @Test
    void aPartitionWithoutRecordsIsNotPartOfIt() {
        ConsumerRecords<byte[], byte[]> polled =
                poll(range(A, 0, 3), Map.of(A, new OffsetAndMetadata(4), B, BEHIND_MARKERS));

        Batch batch = Batch.of(polled);

        assertThat(batch.start()).containsOnlyKeys(A);
        assertThat(batch.next()).containsOnlyKeys(A);
        assertThat(batch.resume()).isEmpty();
    }

    @Test
    void neitherIsOneThatAnInterceptorHasEmptied() {
        ConsumerRecords<byte[], byte[]> polled =
                new ConsumerRecords<>(Map.of(A, range(A, 0, 1), B, List.of()), Map.of());

        Batch batch = Batch.of(polled);

        assertThat(names(batch.records())).containsExactly("0@0", "0@1");
        assertThat(batch.start()).containsOnlyKeys(A);
        assertThat(offsets(batch.next())).as("nor the offsets behind").isEqualTo(Map.of(A, 2L));
    }

    @Test
    void keepsTheEpochOfTheLeader() {
        ConsumerRecords<byte[], byte[]> polled =
                poll(List.of(record(A, 3, 5), record(A, 4, 6), record(A, 7, 7), record(B, 1, 2)), Map.of());

        Batch batch = Batch.of(polled, firstOf(polled, A, 2));

        assertThat(batch.start())
                .containsEntry(A, new OffsetAndMetadata(3, Optional.of(5), ""))
                .containsEntry(B, new OffsetAndMetadata(1, Optional.of(2), ""));
        assertThat(batch.next()).containsEntry(A, new OffsetAndMetadata(5, Optional.of(6), ""));
        assertThat(batch.resume())
                .containsEntry(A, new OffsetAndMetadata(5, Optional.of(6), ""))
                .containsEntry(B, new OffsetAndMetadata(1, Optional.of(2), ""));
        assertThat(Batch.of(polled).next()).containsEntry(A, new OffsetAndMetadata(8, Optional.of(7), ""));
    }

    @Test
    void theFirstRecordsOfABatchAreABatch() {
        Batch whole = Batch.of(poll(all(range(A, 0, 1), range(B, 0, 2)))).carefully();

        Batch part = whole.take(3);

        assertThat(names(part.records())).containsExactly("0@0", "0@1", "1@0");
        assertThat(part.start()).isEqualTo(whole.start());
        assertThat(offsets(part.next())).isEqualTo(Map.of(A, 2L, B, 1L));
        assertThat(offsets(part.resume())).isEqualTo(Map.of(B, 1L));
        assertThat(part.careful()).isTrue();
        assertThat(Batch.of(poll(A, 0, 1)).take(1).careful()).isFalse();
        assertThat(offsets(whole.take(1).resume())).isEqualTo(Map.of(A, 1L, B, 0L));
    }

    @Test
    void ofOffsetsHasNothingButThem() {
        Batch batch = Batch.ofOffsets(Map.of(A, BEHIND_MARKERS));

        assertThat(batch.next()).isEqualTo(Map.of(A, BEHIND_MARKERS));
        assertThat(batch.records()).isEmpty();
        assertThat(batch.start()).isEmpty();
        assertThat(batch.resume()).isEmpty();
    }

    @Test
    void aDeadLetterStaysCareful() {
        TxnError why = Polls.error("bad");

        Batch batch = Batch.of(poll(A, 0, 0)).carefully().asDeadLetter(why);

        assertThat(batch.deadLetter()).isSameAs(why);
        assertThat(batch.careful()).isTrue();
        assertThat(batch.carefully().deadLetter()).isSameAs(why);
        assertThat(offsets(batch.next())).isEqualTo(Map.of(A, 1L));
    }

    /** The polled records themselves, as the lane has them. */
    private static List<ConsumerRecord<byte[], byte[]>> firstOf(
            ConsumerRecords<byte[], byte[]> polled, TopicPartition partition, int count) {
        return polled.records(partition).subList(0, count);
    }
}
