package io.github.kafkatxn.examples.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.kafkatxn.producer.TransactionListener.Outcome;
import io.github.kafkatxn.producer.TransactionStats;
import io.github.kafkatxn.result.ErrorClassifier;
import io.github.kafkatxn.result.ErrorClassifier.Condition;
import io.github.kafkatxn.result.Operation;
import io.github.kafkatxn.result.TxnError;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class ReportTest {
    private final TransactionStats stats = new TransactionStats(1, 1, Duration.ZERO);

    @Test
    void hasAColumnForEachInstanceAndTheSum() {
        Tally one = new Tally();
        one.add(Tally.RECORDS, 10);
        Tally two = new Tally();
        two.add(Tally.RECORDS, 5);
        two.add("ended:aborted:abortable", 2);
        Map<String, Tally> tallies = new LinkedHashMap<>();
        tallies.put("instance 1", one);
        tallies.put("instance 2", two);

        String table = Report.table(tallies);
        assertThat(table.lines().map(line -> line.replaceAll(" {2,}", "|")))
                .startsWith("|instance 1|instance 2|total")
                .contains("records committed|10|5|15", "transactions aborted, abortable|0|2|2")
                .doesNotContain("transactions aborted, by the application|0|0|0")
                .doesNotContain("records that may come out again|0|0|0");

        two.add(Tally.POSSIBLE_DUPLICATES, 3);
        assertThat(Report.table(tallies).lines().map(line -> line.replaceAll(" {2,}", "|")))
                .contains("records that may come out again|0|3|3");
    }

    @Test
    void aReportSurvivesItsLine() {
        Counting counting = new Counting();
        TxnError error = ErrorClassifier.classify(Operation.SEND, new TimeoutException("late"), Condition.USABLE);
        counting.onEnd("id", Outcome.COMMITTED, stats, Optional.empty());
        counting.onEnd("id", Outcome.ABORTED, stats, Optional.empty());
        counting.onEnd("id", Outcome.ABANDONED, stats, Optional.of(error));
        counting.onProcessed(0, 7);
        counting.onProcessed(1, 3);
        counting.onPossibleDuplicates(1, 2, error);

        String line = counting.tally().toLine();
        assertThat(Tally.parse(line).orElseThrow().counts())
                .isEqualTo(counting.tally().counts())
                .containsEntry(Tally.RECORDS, 10L)
                .containsEntry(Tally.TRANSACTIONS, 1L)
                .containsEntry(Tally.POSSIBLE_DUPLICATES, 2L)
                .containsEntry("ended:aborted:by-the-application", 1L)
                .hasSize(5);
        assertThat(Tally.parse(line.substring(0, line.length() - 1))).isEmpty();
    }

    @Test
    void aReportOfNothingIsOneToo() {
        assertThat(Tally.parse(new Tally().toLine()).orElseThrow().counts()).isEmpty();
    }
}
