package io.github.kafkatxn.examples.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.processor.Guarantee;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private final Ledger ledger = new Ledger(3);

    @Test
    void everyRecordOnceIsExactlyOnce() {
        ledger.committed("1");
        ledger.committed("3");
        ledger.deadLettered("2");

        assertThat(ledger.seen()).isEqualTo(3);
        assertThat(ledger.verdict(Guarantee.EXACTLY_ONCE, true).isAsPromised()).isTrue();
        assertThat(ledger.verdict(Guarantee.EXACTLY_ONCE, true).details()).isEmpty();
        assertThat(ledger.verdict(Guarantee.EXACTLY_ONCE, true))
                .hasToString("exactly-once: input 3, committed 2, dead-lettered 1, lost 0, duplicated 0");
    }

    @Test
    void aRecordThatDidNotComeOutIsLost() {
        ledger.committed("1");
        ledger.committed("2");

        assertThat(ledger.verdict(Guarantee.EXACTLY_ONCE, true).isAsPromised()).isFalse();
        assertThat(ledger.verdict(Guarantee.EXACTLY_ONCE, true).details()).isEqualTo("lost: [3]\n");
        assertThat(ledger.verdict(Guarantee.EXACTLY_ONCE, true))
                .hasToString("exactly-once: input 3, committed 2, dead-lettered 0, lost 1, duplicated 0");
    }

    @Test
    void whatHasNotComeOutBeforeTheEndIsNotLost() {
        ledger.committed("1");

        assertThat(ledger.verdict(Guarantee.EXACTLY_ONCE, false).isAsPromised()).isFalse();
        assertThat(ledger.verdict(Guarantee.EXACTLY_ONCE, false).details()).isEqualTo("not out yet: [2, 3]\n");
        assertThat(ledger.verdict(Guarantee.EXACTLY_ONCE, false))
                .hasToString("exactly-once: input 3, committed 1, dead-lettered 0, not out yet 2, duplicated 0");
    }

    @Test
    void aRecordThatCameOutTwiceIsDuplicatedInWhateverWay() {
        ledger.committed("1");
        ledger.committed("1");
        ledger.committed("2");
        ledger.deadLettered("2");
        ledger.deadLettered("3");
        ledger.deadLettered("3");

        assertThat(ledger.seen()).isEqualTo(3);
        assertThat(ledger.verdict(Guarantee.EXACTLY_ONCE, true).isAsPromised()).isFalse();
        assertThat(ledger.verdict(Guarantee.EXACTLY_ONCE, true).duplicated()).isEqualTo(3);
        assertThat(ledger.verdict(Guarantee.EXACTLY_ONCE, true).details()).isEqualTo("duplicated: [1, 2, 3]\n");
    }

    @Test
    void atLeastOnceMayComeOutTwiceButNotBeLost() {
        ledger.committed("1");
        ledger.committed("1");
        ledger.deadLettered("2");

        assertThat(ledger.verdict(Guarantee.AT_LEAST_ONCE, true).isAsPromised()).isFalse();
        ledger.committed("3");
        assertThat(ledger.verdict(Guarantee.AT_LEAST_ONCE, true).isAsPromised()).isTrue();
        assertThat(ledger.verdict(Guarantee.AT_LEAST_ONCE, true))
                .hasToString("at-least-once: input 3, committed 2, dead-lettered 1, lost 0, duplicated 1");
        assertThat(ledger.verdict(Guarantee.EXACTLY_ONCE, true).isAsPromised()).isFalse();
    }

    @Test
    void whatIsNotInTheInputIsWrongToo() {
        ledger.committed("1");
        ledger.committed("2");
        ledger.committed("3");
        ledger.committed("4");
        ledger.deadLettered("null");

        assertThat(ledger.seen()).isEqualTo(3);
        assertThat(ledger.verdict(Guarantee.EXACTLY_ONCE, true).isAsPromised()).isFalse();
        assertThat(ledger.verdict(Guarantee.EXACTLY_ONCE, true).details()).isEqualTo("not in the input: [4, null]\n");
    }

    @Test
    void onlyTheFirstAreNamed() {
        assertThat(new Ledger(12).verdict(Guarantee.EXACTLY_ONCE, true).details())
                .isEqualTo("lost: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] and 2 more\n");
    }
}
