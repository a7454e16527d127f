package io.github.kafkatxn.cluster.internal.txn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every state with every request. The id has producer 7, epoch 5; "repeated" names epoch 4, which ended it. */
class EndRulesTest {

    @ParameterizedTest(name = "{0}: commit {1}, abort {2}")
    @CsvSource({
        "EMPTY,           INVALID_TXN_STATE,       INVALID_TXN_STATE",
        "ONGOING,         PREPARE,                 PREPARE",
        "PREPARE_COMMIT,  CONCURRENT_TRANSACTIONS, CONCURRENT_TRANSACTIONS",
        "PREPARE_ABORT,   CONCURRENT_TRANSACTIONS, CONCURRENT_TRANSACTIONS",
        "COMPLETE_COMMIT, DONE_BEFORE,             INVALID_TXN_STATE",
        "COMPLETE_ABORT,  INVALID_TXN_STATE,       DONE_BEFORE"
    })
    void beforeVersion2(TransactionState state, String commit, String abort) {
        assertThat(text(EndRules.decide(stored(state), 7, (short) 5, true))).isEqualTo(commit);
        assertThat(text(EndRules.decide(stored(state), 7, (short) 5, false))).isEqualTo(abort);
        assertThat(text(EndRules.decide(stored(state), 8, (short) 5, true))).isEqualTo("INVALID_PRODUCER_ID_MAPPING");
        assertThat(text(EndRules.decide(stored(state), 7, (short) 4, true))).isEqualTo("PRODUCER_FENCED");
        assertThat(text(EndRules.decide(stored(state), 7, (short) 6, false))).isEqualTo("PRODUCER_FENCED");
    }

    @ParameterizedTest(name = "{0}: commit {1}, abort {2}; repeated commit {3}, abort {4}; others {5}")
    @CsvSource({
        "EMPTY,           INVALID_TXN_STATE, PREPARE, PRODUCER_FENCED, PRODUCER_FENCED, PRODUCER_FENCED",
        "ONGOING,         PREPARE, PREPARE, PRODUCER_FENCED, PRODUCER_FENCED, PRODUCER_FENCED",
        "COMPLETE_COMMIT, INVALID_TXN_STATE, PREPARE, DONE_BEFORE, INVALID_TXN_STATE, PRODUCER_FENCED",
        "COMPLETE_ABORT,  INVALID_TXN_STATE, PREPARE, INVALID_TXN_STATE, DONE_BEFORE, PRODUCER_FENCED"
    })
    void version2(
            TransactionState state,
            String commit,
            String abort,
            String repeatedCommit,
            String repeatedAbort,
            String others) {
        assertThat(bumping(state, 7, 5, true)).isEqualTo(commit);
        assertThat(bumping(state, 7, 5, false)).isEqualTo(abort);
        assertThat(bumping(state, 7, 4, true)).isEqualTo(repeatedCommit);
        assertThat(bumping(state, 7, 4, false)).isEqualTo(repeatedAbort);
        assertThat(bumping(state, 7, 3, true)).isEqualTo(others);
        assertThat(bumping(state, 7, 6, false)).isEqualTo(others);
        assertThat(bumping(state, 8, 5, true)).isEqualTo("INVALID_PRODUCER_ID_MAPPING");
    }

    @ParameterizedTest
    @CsvSource({"PREPARE_COMMIT", "PREPARE_ABORT"})
    void version2LetsEverybodyWaitWhileItCompletes(TransactionState state) {
        assertThat(bumping(state, 7, 4, true)).isEqualTo("CONCURRENT_TRANSACTIONS");
        assertThat(bumping(state, 7, 5, false)).isEqualTo("CONCURRENT_TRANSACTIONS");
        assertThat(bumping(state, 8, 1, true)).isEqualTo("CONCURRENT_TRANSACTIONS");
    }

    private static String bumping(TransactionState state, long producerId, int epoch, boolean commit) {
        return text(EndRules.decideBumping(stored(state), producerId, (short) epoch, commit));
    }

    private static String text(EndRules.Decision decision) {
        return decision.error() == Errors.NONE
                ? decision.kind().name()
                : decision.error().name();
    }

    private static TransactionMetadata stored(TransactionState state) {
        return new TransactionMetadata(
                "id", 7, 7, -1, (short) 5, (short) 4, 60_000, state, Set.of(new TopicPartition("t", 0)), 1, 1, (byte)
                        2);
    }
}
