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
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.junit.jupiter.api.Test;

class IsolationTest {
    private static final TxnError WHY = Polls.error("bad record");

    private final Isolation isolation = new Isolation(2);

    @Test
    void everythingIsOneBatchWhileNothingHasFailed() {
        Batch batch = isolation.next(poll(all(range(A, 0, 2), range(B, 5, 6))));

        assertThat(names(batch.records())).containsExactly("0@0", "0@1", "0@2", "1@5", "1@6");
        assertThat(batch.careful()).isFalse();
        assertThat(batch.deadLetter()).isNull();
    }

    @Test
    void predecessorsOfAKnownRecordAreCommittedBeforeItIsTriedAlone() {
        isolation.blame(record(A, 2), WHY);

        Batch before = isolation.next(poll(A, 0, 4));
        assertThat(names(before.records())).containsExactly("0@0", "0@1");
        assertThat(offsets(before.resume())).containsEntry(A, 2L);
        isolation.committed(before);

        Batch alone = isolation.next(poll(A, 2, 4));
        assertThat(names(alone.records())).containsExactly("0@2");
        assertThat(alone.careful()).isTrue();
        assertThat(alone.deadLetter()).isNull();
        isolation.committed(alone);

        Batch rest = isolation.next(poll(A, 3, 4));
        assertThat(names(rest.records())).containsExactly("0@3", "0@4");
        assertThat(rest.careful()).isFalse();
    }

    @Test
    void isADeadLetterAfterAsManyAttemptsAsThereMayBe() {
        isolation.blame(record(A, 0), WHY);
        assertThat(isolation.attempts(record(A, 0))).isEqualTo(1);
        assertThat(isolation.next(poll(A, 0, 4)).deadLetter()).isNull();

        TxnError last = Polls.error("still bad");
        isolation.blame(record(A, 0), last);
        assertThat(isolation.attempts(record(A, 0))).isEqualTo(2);
        Batch deadLetter = isolation.next(poll(A, 0, 4));
        assertThat(names(deadLetter.records())).containsExactly("0@0");
        assertThat(deadLetter.deadLetter()).isSameAs(last);

        isolation.committed(deadLetter);
        assertThat(isolation.attempts(record(A, 0))).isZero();
        Batch rest = isolation.next(poll(A, 1, 4));
        assertThat(names(rest.records())).containsExactly("0@1", "0@2", "0@3", "0@4");
        assertThat(rest.deadLetter()).isNull();
    }

    @Test
    void oneAttemptIsEnoughIfThereMayBeNoOther() {
        Isolation impatient = new Isolation(1);
        impatient.blame(record(A, 0), WHY);

        assertThat(impatient.next(poll(A, 0, 4)).deadLetter()).isSameAs(WHY);
    }

    @Test
    void anotherRecordOfThePartitionHasAttemptsOfItsOwn() {
        isolation.blame(record(A, 3), WHY);
        isolation.blame(record(A, 1), WHY);

        assertThat(isolation.attempts(record(A, 1))).isEqualTo(1);
        assertThat(isolation.attempts(record(A, 3))).isZero();
        assertThat(isolation.attempts(record(B, 1))).isZero();
    }

    @Test
    void otherPartitionsAndTheKnownRecordTakeTurns() {
        isolation.blame(record(A, 0), WHY);

        assertThat(names(isolation
                        .next(poll(all(range(A, 0, 1), range(B, 0, 1))))
                        .records()))
                .containsExactly("1@0", "1@1");
        assertThat(names(isolation
                        .next(poll(all(range(A, 0, 1), range(B, 2, 3))))
                        .records()))
                .containsExactly("0@0");
        assertThat(names(isolation
                        .next(poll(all(range(A, 0, 1), range(B, 2, 3))))
                        .records()))
                .containsExactly("1@2", "1@3");
    }

    @Test
    void oneKnownRecordAtATimeIsTried() {
        isolation.blame(record(A, 0), WHY);
        isolation.blame(record(B, 0), WHY);

        Batch alone = isolation.next(poll(all(range(A, 0, 1), range(B, 0, 1))));

        assertThat(names(alone.records())).containsExactly("0@0");
        assertThat(offsets(alone.resume())).containsEntry(A, 1L).containsEntry(B, 0L);
    }

    @Test
    void anUnknownRecordIsFoundByHalving() {
        isolation.blame(Batch.of(poll(A, 0, 7)), WHY);
        commit(poll(A, 0, 7), "0@0", "0@1", "0@2", "0@3");
        fail(poll(A, 4, 7), "0@4", "0@5", "0@6", "0@7");
        fail(poll(A, 4, 7), "0@4", "0@5");
        commit(poll(A, 4, 7), "0@4");

        fail(poll(A, 5, 7), "0@5");
        assertThat(isolation.attempts(record(A, 5))).isEqualTo(1);
        fail(poll(A, 5, 7), "0@5");
        Batch deadLetter = commit(poll(A, 5, 7), "0@5");
        assertThat(deadLetter.deadLetter()).isSameAs(WHY);

        commit(poll(A, 6, 9), "0@6", "0@7", "0@8", "0@9");
    }

    @Test
    void halvesAreTakenAcrossPartitions() {
        isolation.blame(Batch.of(poll(all(range(A, 0, 1), range(B, 0, 3)))), WHY);

        Batch half = isolation.next(poll(all(range(A, 0, 1), range(B, 0, 3))));

        assertThat(names(half.records())).containsExactly("0@0", "0@1", "1@0");
        assertThat(offsets(half.resume())).containsOnlyKeys(B).containsEntry(B, 1L);
        assertThat(half.careful()).isFalse();
    }

    @Test
    void whatWasPolledBesidesAFailedBatchTakesTurnsWithIt() {
        isolation.blame(Batch.of(poll(A, 0, 3)), WHY);

        commit(poll(all(range(A, 0, 3), range(B, 0, 0))), "1@0");
        commit(poll(all(range(A, 0, 3), range(B, 1, 1))), "0@0", "0@1");
        commit(poll(all(range(A, 2, 3), range(B, 1, 1))), "1@1");
        commit(poll(all(range(A, 2, 9), range(B, 2, 2))), "0@2", "0@3");
    }

    /** A batch that fails during a search must not make the search begin again: it would never end. */
    @Test
    void twoSearchesTakeTurnsAndBothEnd() {
        ConsumerRecords<byte[], byte[]> polled = poll(all(range(A, 0, 3), range(B, 0, 3)));
        isolation.blame(Batch.of(polled), WHY);

        fail(polled, "0@0", "0@1", "0@2", "0@3");
        fail(polled, "1@0", "1@1", "1@2", "1@3");
        fail(polled, "0@0", "0@1");
        fail(polled, "1@0", "1@1");
        fail(polled, "0@0");
        assertThat(isolation.attempts(record(A, 0))).isEqualTo(1);
        fail(polled, "0@0");
        Batch deadLetter = commit(polled, "0@0");
        assertThat(deadLetter.deadLetter()).isSameAs(WHY);
        commit(poll(all(range(A, 1, 3), range(B, 0, 3))), "0@1");
        commit(poll(all(range(A, 2, 3), range(B, 0, 3))), "0@2", "0@3");
        fail(poll(B, 0, 3), "1@0");
        assertThat(isolation.attempts(record(B, 0))).isEqualTo(1);
    }

    @Test
    void aKnownRecordInsideAFailedBatchEndsItsHalves() {
        isolation.blame(Batch.of(poll(A, 0, 7)), WHY);
        isolation.blame(record(A, 2), WHY);

        commit(poll(A, 0, 7), "0@0", "0@1");
        Batch alone = commit(poll(A, 2, 7), "0@2");
        assertThat(alone.careful()).isTrue();
        commit(poll(A, 3, 9), "0@3", "0@4", "0@5", "0@6");
        commit(poll(A, 7, 9), "0@7");
        commit(poll(A, 8, 9), "0@8", "0@9");
    }

    @Test
    void aWatchedBatchIsTriedOnceMoreAsItWasAndCarefully() {
        isolation.watch(Batch.of(poll(A, 0, 3)));

        Batch again = isolation.next(poll(A, 0, 5));
        assertThat(names(again.records())).containsExactly("0@0", "0@1", "0@2", "0@3");
        assertThat(again.careful()).isTrue();
        isolation.committed(again);

        Batch rest = isolation.next(poll(A, 4, 5));
        assertThat(names(rest.records())).containsExactly("0@4", "0@5");
        assertThat(rest.careful()).isFalse();
    }

    @Test
    void forgetsThePartitionsThatHaveOtherRecordsNowAndNoOthers() {
        isolation.blame(Batch.of(poll(all(range(A, 0, 3), range(C, 0, 3)))), WHY);
        isolation.blame(record(A, 0), WHY);
        isolation.blame(record(B, 0), WHY);

        isolation.forget(Set.of(A));

        assertThat(isolation.attempts(record(A, 0))).isZero();
        assertThat(isolation.attempts(record(B, 0))).isEqualTo(1);
        commit(poll(all(range(A, 0, 9), range(C, 0, 9))), range(A, 0, 9));
        commit(poll(C, 0, 9), "2@0", "2@1", "2@2", "2@3");
    }

    @Test
    void aRecordThatIsGoneIsNotWaitedFor() {
        isolation.blame(record(A, 2), WHY);
        commit(poll(List.of(record(A, 0), record(A, 1), record(A, 3))), "0@0", "0@1");
        commit(poll(A, 3, 4), "0@3", "0@4");

        isolation.blame(record(A, 6), WHY);
        commit(poll(A, 8, 9), "0@8", "0@9");
        assertThat(isolation.attempts(record(A, 6))).isZero();
    }

    @Test
    void ofAFailedBatchThatIsGoneInPartTheRestIsTried() {
        isolation.blame(Batch.of(poll(A, 0, 7)), WHY);
        commit(poll(A, 6, 9), "0@6", "0@7");
        commit(poll(A, 8, 9), "0@8", "0@9");

        isolation.blame(Batch.of(poll(A, 10, 17)), WHY);
        commit(poll(A, 20, 29), range(A, 20, 29));
    }

    @Test
    void whatIsCommittedAfterAllIsNotTriedAgain() {
        Batch inDoubt = Batch.of(poll(A, 0, 3));
        isolation.blame(inDoubt, WHY);
        isolation.blame(record(A, 0), WHY);
        isolation.committed(inDoubt);

        assertThat(isolation.attempts(record(A, 0))).isZero();
        commit(poll(A, 4, 5), "0@4", "0@5");
    }

    private Batch commit(ConsumerRecords<byte[], byte[]> polled, String... expected) {
        Batch batch = isolation.next(polled);
        assertThat(names(batch.records())).containsExactly(expected);
        isolation.committed(batch);
        return batch;
    }

    private void commit(ConsumerRecords<byte[], byte[]> polled, List<ConsumerRecord<byte[], byte[]>> expected) {
        commit(polled, names(expected).toArray(String[]::new));
    }

    private void fail(ConsumerRecords<byte[], byte[]> polled, String... expected) {
        Batch batch = isolation.next(polled);
        assertThat(names(batch.records())).containsExactly(expected);
        assertThat(batch.deadLetter()).isNull();
        isolation.blame(batch, WHY);
    }
}
