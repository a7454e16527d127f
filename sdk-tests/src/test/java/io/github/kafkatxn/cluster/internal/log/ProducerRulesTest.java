package io.github.kafkatxn.cluster.internal.log;

import static io.github.kafkatxn.cluster.internal.log.TestPartition.PID;
import static io.github.kafkatxn.cluster.internal.log.TestPartition.RULES;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.junit.jupiter.api.Test;

/** What a partition takes from a producer: tables C, D and K of the broker rules, as far as the log decides. */
class ProducerRulesTest {
    private final TestPartition partition = new TestPartition();

    @Test
    void aTransactionUnderVersion2() {
        assertAt(0, partition.produce(PID, 2, 0));
        assertThat(partition.log.endOffset()).isEqualTo(1);
        assertThat(partition.led.lastStableOffset()).isZero();
        assertAt(0, partition.produce(PID, 2, 0));
        assertThat(partition.log.endOffset()).as("a duplicate is not appended").isEqualTo(1);
        assertRefused(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, partition.produce(PID, 2, 5));
        assertRefused(Errors.INVALID_TXN_STATE, partition.idempotent(PID, 2, 1));
        assertRefused(Errors.INVALID_PRODUCER_EPOCH, partition.produce(PID, 1, 0));
        assertThat(partition.log.endOffset()).isEqualTo(1);
    }

    @Test
    void afterAnEndUnderVersion2SequencesBeginAgain() {
        partition.produce(PID, 2, 0);
        assertAt(1, partition.marker(PID, 3, false, 2));
        assertRefused(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, partition.produce(PID, 3, 1));
        assertAt(2, partition.produce(PID, 3, 0));
        assertAt(3, partition.marker(PID, 4, false, 2));
        assertThat(partition.log.abortedTransactions(0, 4))
                .containsExactly(new AbortedTransaction(PID, 0), new AbortedTransaction(PID, 2));
        assertRefused(Errors.INVALID_PRODUCER_EPOCH, partition.produce(PID, 3, 0));
    }

    @Test
    void aFreshPartitionTakesOnlySequence0UnderVersion2() {
        assertRefused(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, partition.produce(PID, 2, 3));
        assertAt(0, partition.produceV1(PID + 1, 2, 3));
    }

    @Test
    void withoutABumpSequencesGoOn() {
        partition.produce(PID, 2, 0);
        assertAt(1, partition.marker(PID, 2, true, 0));
        assertAt(2, partition.produce(PID, 2, 1));
        assertAt(3, partition.marker(PID, 3, false, 2));
        assertThat(partition.led.lastStableOffset()).isEqualTo(4);
    }

    @Test
    void whatWasNotVerifiedIsRefused() {
        MemoryRecords records = partition.batch(PID, 4, 0, true, 1);
        assertRefused(Errors.INVALID_TXN_STATE, partition.led.append(records, RULES, VerificationGuard.NONE));
        assertRefused(Errors.INVALID_TXN_STATE, partition.led.append(records, RULES, new VerificationGuard()));
        assertThat(partition.log.endOffset()).isZero();
    }

    @Test
    void aMarkerInBetweenMakesAVerificationUseless() {
        partition.produce(PID, 4, 0);
        partition.marker(PID, 4, true, 0);
        Verification verification = partition.led.startVerification(PID, (short) 4, 1, false);
        assertThat(verification.needed()).isTrue();
        partition.marker(PID, 4, true, 0);
        MemoryRecords records = partition.batch(PID, 4, 1, true, 1);
        assertRefused(Errors.INVALID_TXN_STATE, partition.led.append(records, RULES, verification.guard()));
    }

    @Test
    void theNextTransactionIsVerifiedBeforeTheMarkerOfTheOneBeforeHasCome() {
        partition.produce(PID, 4, 0);
        Verification verification = partition.led.startVerification(PID, (short) 5, 0, true);
        partition.marker(PID, 5, true, 2);
        MemoryRecords records = partition.batch(PID, 5, 0, true, 1);
        assertAt(2, partition.led.append(records, RULES, verification.guard()));
    }

    @Test
    void anotherLeaderDoesNotKnowWhatWasVerified() {
        Verification verification = partition.led.startVerification(PID, (short) 4, 0, true);
        partition.lead(4);
        MemoryRecords records = partition.batch(PID, 4, 0, true, 1);
        assertRefused(Errors.INVALID_TXN_STATE, partition.led.append(records, RULES, verification.guard()));
    }

    @Test
    void anOpenTransactionNeedsNoVerification() {
        partition.produce(PID, 4, 0);
        assertThat(partition.led.startVerification(PID, (short) 4, 1, true).needed())
                .isFalse();
        assertThat(partition.led.startVerification(PID, (short) 3, 1, true).error())
                .isEqualTo(Errors.INVALID_PRODUCER_EPOCH);
        assertThat(partition.led.startVerification(PID, (short) 5, 0, true).needed())
                .isTrue();
    }

    @Test
    void aLaterBatchDoesNotOvertakeTheFirstOneWhileBothAreVerified() {
        partition.produceV1(PID, 4, 0);
        partition.marker(PID, 4, true, 0);
        partition.led.startVerification(PID, (short) 4, 1, false);
        Verification second = partition.led.startVerification(PID, (short) 4, 2, false);
        MemoryRecords later = partition.batch(PID, 4, 2, true, 1);
        assertRefused(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, partition.led.append(later, RULES, second.guard()));
    }

    @Test
    void fiveBatchesAreKnownAgain() {
        for (int sequence = 0; sequence < 12; sequence += 2) {
            assertAt(sequence, partition.produce(partition.batch(PID, 0, sequence, false, 2), false));
        }
        for (int sequence = 2; sequence < 12; sequence += 2) {
            assertAt(sequence, partition.produce(partition.batch(PID, 0, sequence, false, 2), false));
        }
        assertRefused(
                Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, partition.produce(partition.batch(PID, 0, 0, false, 2), false));
        assertRefused(
                Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, partition.produce(partition.batch(PID, 0, 10, false, 1), false));
        assertThat(partition.log.endOffset()).isEqualTo(12);
    }

    @Test
    void sequencesWrapAround() {
        assertAt(0, partition.idempotent(PID, 0, Integer.MAX_VALUE));
        assertAt(1, partition.idempotent(PID, 0, 0));
        assertRefused(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, partition.idempotent(PID, 0, 0x70000000));
    }

    @Test
    void aNewEpochBeginsWithSequence0() {
        partition.idempotent(PID, 0, 7);
        assertRefused(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER, partition.idempotent(PID, 1, 8));
        assertAt(1, partition.idempotent(PID, 1, 0));
        assertRefused(Errors.INVALID_PRODUCER_EPOCH, partition.idempotent(PID, 0, 8));
    }

    @Test
    void idleProducersAreForgottenButNotOpenTransactions() {
        partition.idempotent(PID, 0, 0);
        partition.produce(PID + 1, 0, 0);
        partition.now.addAndGet(1_000);
        partition.led.expireProducers(1_000, 1_001);
        assertThat(partition.log.activeProducers()).hasSize(2);
        partition.led.expireProducers(1_000, 1_000);
        assertThat(partition.log.activeProducers())
                .extracting(ActiveProducer::producerId)
                .containsExactly(PID + 1);
    }

    @Test
    void theNodesOwnRecordsAreNotCheckedForSequences() {
        assertAt(0, partition.led.append(partition.batch(PID, 1, 0, true, 1)));
        assertAt(1, partition.led.append(partition.batch(PID, 1, 0, true, 1)));
        assertRefused(Errors.INVALID_PRODUCER_EPOCH, partition.led.append(partition.batch(PID, 0, 0, true, 1)));
        assertThat(partition.led.lastStableOffset()).isZero();
        assertRefused(
                Errors.INVALID_TXN_STATE,
                partition.led.append(partition.batch(PID + 1, 0, 0, true, 1), VerificationGuard.NONE));
        Verification verification = partition.led.startVerification(PID + 1, (short) 0, -1, true);
        assertAt(2, partition.led.append(partition.batch(PID + 1, 0, 0, true, 1), verification.guard()));
    }

    static void assertAt(long offset, Appended appended) {
        assertThat(appended.error()).as(appended.message()).isEqualTo(Errors.NONE);
        assertThat(appended.baseOffset()).isEqualTo(offset);
    }

    static void assertRefused(Errors error, Appended appended) {
        assertThat(appended.error()).as(appended.message()).isEqualTo(error);
        assertThat(appended.baseOffset()).isEqualTo(-1);
    }
}
