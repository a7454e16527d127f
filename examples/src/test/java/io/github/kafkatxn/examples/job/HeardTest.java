package io.github.kafkatxn.examples.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeardTest {
    private final Heard heard = new Heard();

    @Test
    void keepsTheLastWholeReport() {
        heard.hear("report records=5 end");
        heard.hear("report records=7 transactions=2 end");
        heard.hear("report records=1");
        assertThat(heard.tally().get(Tally.RECORDS)).isEqualTo(7);
        assertThat(heard.tally().get(Tally.TRANSACTIONS)).isEqualTo(2);
    }

    @Test
    void knowsWhatStandsStillAndWhyItStopped() {
        assertThat(heard.holding()).isEmpty();
        heard.hear("holding group-1-0-1");
        heard.hear("something else");
        heard.hear("stopped REQUESTED The processor was asked to stop.");
        assertThat(heard.holding()).contains("group-1-0-1");
        assertThat(heard.stopped()).contains("REQUESTED");
    }
}
