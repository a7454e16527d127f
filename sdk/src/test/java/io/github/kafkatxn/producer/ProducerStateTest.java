package io.github.kafkatxn.producer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every pair of states: what is not in the table is no move. */
class ProducerStateTest {
    private static final Map<ProducerState, Set<ProducerState>> LEGAL = Map.of(
            ProducerState.NEW, Set.of(ProducerState.READY, ProducerState.DEAD, ProducerState.CLOSED),
            ProducerState.READY, Set.of(ProducerState.IN_TRANSACTION, ProducerState.DEAD, ProducerState.CLOSED),
            ProducerState.IN_TRANSACTION,
                    Set.of(
                            ProducerState.MUST_ABORT,
                            ProducerState.COMMIT_PENDING,
                            ProducerState.ABORT_PENDING,
                            ProducerState.CLOSED),
            ProducerState.MUST_ABORT, Set.of(ProducerState.ABORT_PENDING, ProducerState.CLOSED),
            ProducerState.COMMIT_PENDING,
                    Set.of(ProducerState.READY, ProducerState.MUST_ABORT, ProducerState.DEAD, ProducerState.CLOSED),
            ProducerState.ABORT_PENDING, Set.of(ProducerState.READY, ProducerState.DEAD, ProducerState.CLOSED),
            ProducerState.DEAD, Set.of(ProducerState.CLOSED),
            ProducerState.CLOSED, Set.of());

    @ParameterizedTest
    @EnumSource
    void hasOnlyItsLegalMoves(ProducerState from) {
        for (ProducerState to : ProducerState.values()) {
            assertThat(from.mayBecome(to))
                    .as("%s to %s", from, to)
                    .isEqualTo(LEGAL.getOrDefault(from, Set.of()).contains(to));
        }
    }

    /** A commit that was asked for is never turned into an abort. */
    @ParameterizedTest
    @EnumSource(names = {"COMMIT_PENDING", "READY", "DEAD", "CLOSED", "NEW"})
    void isNotAbortedFrom(ProducerState from) {
        assertThat(from.mayBecome(ProducerState.ABORT_PENDING)).isFalse();
    }
}
