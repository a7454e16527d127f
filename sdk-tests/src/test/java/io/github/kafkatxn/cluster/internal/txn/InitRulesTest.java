package io.github.kafkatxn.cluster.internal.txn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The id has producer 7, before the last change 6. */
class InitRulesTest {

    @ParameterizedTest(name = "epoch {0} (before {1}), the client has {2}: {3}, last epoch {4}")
    @CsvSource({
        "5,     -1,    -1,    BUMP,       -1",
        "5,     4,     5,     BUMP,       5",
        "5,     4,     4,     SAME_AGAIN, 5",
        "5,     4,     3,     FENCED,     5",
        "5,     4,     6,     FENCED,     5",
        "5,     -1,    4,     FENCED,     5",
        "-1,    -1,    9,     BUMP,       -1",
        "32765, 0,     -1,    BUMP,       -1",
        "32766, 0,     -1,    ROTATE,     -1",
        "32767, 0,     32767, ROTATE,     32767",
        "32766, 32765, 32765, SAME_AGAIN, 32766"
    })
    void nextEpoch(short epoch, short last, short expected, InitRules.Step step, short newLast) {
        TransactionMetadata stored = stored(epoch, last);

        assertThat(InitRules.next(stored, expected)).isEqualTo(step);
        assertThat(InitRules.lastEpoch(stored, expected)).isEqualTo(newLast);
    }

    @ParameterizedTest(name = "epoch {0}, the client has {1}, epoch {2}: {3}")
    @CsvSource({
        "5,  -1, -1,    true",
        "5,  7,  99,    true",
        "0,  6,  32766, true",
        "0,  6,  32765, false",
        "5,  8,  5,     false",
        "-1, 8,  5,     true"
    })
    void producerId(short epoch, long expectedId, short expectedEpoch, boolean fits) {
        assertThat(InitRules.fits(stored(epoch, (short) -1), expectedId, expectedEpoch))
                .isEqualTo(fits);
    }

    private static TransactionMetadata stored(short epoch, short lastEpoch) {
        return new TransactionMetadata(
                "id", 7, 6, -1, epoch, lastEpoch, 60_000, TransactionState.EMPTY, Set.of(), -1, 1, (byte) 2);
    }
}
